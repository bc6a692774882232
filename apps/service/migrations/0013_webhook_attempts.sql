-- Attempts are counted over all redeliveries, and the sandbox's clock does not wait for an endpoint that hangs.

-- `attempts` and `number` count from the last redelivery on: they decide when the next retry is due.
alter table webhook_deliveries
  add column earlier_attempts integer not null default 0, -- made before the last redelivery was requested
  add column redeliveries     integer not null default 0; -- how often one was requested

alter table webhook_attempts
  add column earlier_attempts integer not null default 0, -- made before the redelivery that this attempt belongs to
  add column redeliveries     integer not null default 0; -- requested before this attempt; 0: it belongs to none

-- True while an attempt has been in flight for longer than the clock waits, and then until one ends sooner.
alter table webhook_dispatchers add column is_slow boolean not null default false;
grant update (is_slow) on webhook_dispatchers to tonearm_worker;
