-- Quotas per tier (contract §7, `quota_exceeded`), and jobs whose items cost little.

-- A row holds a batch of items: their requests and results as arrays, from `position` on. Rows written before hold
-- one item. `done`: every item of the batch has its result.
alter table delivery_job_items drop constraint delivery_job_items_status_check;
alter table delivery_job_items add constraint delivery_job_items_status_check
  check (status in ('pending', 'succeeded', 'failed', 'done'));
