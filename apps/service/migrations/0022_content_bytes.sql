-- How many bytes of JSON a release (without its tracks) and a track take: a release with its tracks is bounded,
-- and a page of a list ends before its rows are too large.
alter table releases add column content_bytes integer not null default 0;
-- An owner that is no superuser is under the tables' policies as well, and would see nothing.
alter table releases no force row level security;
update releases r set content_bytes = octet_length(to_jsonb(r)::text);
alter table releases force row level security;
alter table releases alter column content_bytes drop default;

alter table tracks add column content_bytes integer not null default 0;
alter table tracks no force row level security;
update tracks t set content_bytes = octet_length(to_jsonb(t)::text);
alter table tracks force row level security;
alter table tracks alter column content_bytes drop default;
