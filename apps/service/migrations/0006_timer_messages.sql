-- A timer's message goes straight to the handler the timer names, and says which timer it is of: whether
-- it is due is decided there, under the lock of the handler's own key. The state 'firing', of a look that
-- waited for its handler, is no longer written.
alter table outbox add column timer text; -- org_…:tmr_…
grant insert (timer) on outbox to tonearm_app, tonearm_worker;
