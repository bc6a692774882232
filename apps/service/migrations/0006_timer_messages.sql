-- A timer's message goes straight to the handler the timer names, and says which timer it is of: whether
-- it is due is decided there, under the lock of the handler's own key.
alter table outbox add column timer text; -- org_…:tmr_…
grant insert (timer) on outbox to tonearm_app, tonearm_worker;

-- How often the reconciler has asked again.
alter table timers add column recheck_count integer not null default 0;
grant update (recheck_count) on timers to tonearm_worker;
