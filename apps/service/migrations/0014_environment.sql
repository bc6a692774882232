-- Which environment this database is of: one row, written by whoever migrates, looked at by every
-- process when it starts. A process of the other environment refuses to run.
create table environment (
  is_only_row boolean primary key default true check (is_only_row),
  name        text not null check (name in ('live', 'sandbox'))
);
insert into environment (name) values (current_setting('tonearm.environment'));
grant select on environment
  to tonearm_app, tonearm_directory, tonearm_operator, tonearm_relay, tonearm_worker;

-- Evidence is dated by the clock on the wall, which no partner can move.
comment on column audit.occurred_at is 'real time';
