-- Rows in suspense that are matched later (ADR 0045) move between the totals of their report.
grant update (matched_amount, suspense_amount, other_amount) on report_totals to tonearm_worker;
