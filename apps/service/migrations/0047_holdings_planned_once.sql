-- PostgreSQL planned the statements of record_holdings at each call, which took longer than to execute them (ADR 0063).
alter function record_holdings(uuid, uuid, timestamptz, text[], json) set plan_cache_mode = force_generic_plan;
