-- Organizations, their API keys, and the UPC and ISRC ranges they own.

create table organizations (
  org_id               uuid primary key,
  name                 text not null check (char_length(name) between 1 and 200),
  tier                 text not null check (tier in ('starter', 'growth', 'enterprise')),
  default_label        text not null check (char_length(default_label) between 1 and 500),
  licensed_territories text[] not null check (cardinality(licensed_territories) > 0), -- {WORLD}: all
  manual_review        boolean not null default false, -- an operator decides on submissions
  clock_offset_ms      bigint not null default 0, -- the sandbox clock: business time minus real time
  clock_frozen_at      timestamptz, -- business time while the clock is frozen: it is manual, or it is being advanced
  suspended_at         timestamptz,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  actor_type           text not null,
  actor_id             text not null
);
call protect_tenant_table('organizations');
grant select on organizations to tonearm_app, tonearm_worker;
grant select, insert, update on organizations to tonearm_operator;

-- Opens a transaction of an organization: sets its context, then reads its clock under that context. A function,
-- because within one SELECT the planner may evaluate the two in either order.
create function open_organization(org uuid, out offset_ms bigint, out frozen_at timestamptz)
  language plpgsql as $$
begin
  perform set_config('app.org_id', org::text, true);
  select clock_offset_ms, clock_frozen_at into offset_ms, frozen_at from organizations where org_id = org;
end $$;

create table api_keys (
  org_id     uuid not null,
  id         uuid not null,
  name       text not null check (char_length(name) between 1 and 200),
  hint       text not null, -- the last four characters of the key, to recognize it
  scopes     text[] not null check (cardinality(scopes) > 0),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  actor_type text not null,
  actor_id   text not null,
  primary key (org_id, id)
);
call protect_tenant_table('api_keys');
grant select on api_keys to tonearm_app;
grant select, insert, update on api_keys to tonearm_operator;

-- Directory: the organization of a credential. Only the hash of the secret is stored.
create table credentials (
  sha256 bytea primary key check (length(sha256) = 32),
  org_id uuid not null,
  key_id uuid not null
);
grant select on credentials to tonearm_directory;
-- Commands for all organizations list them by their credentials.
grant select (org_id), insert on credentials to tonearm_operator;

-- Directory: the organization that owns a range of UPC numbers. No number has two owners.
create table upc_owners (
  numbers int8range primary key,
  org_id  uuid not null,
  exclude using gist (numbers with &&)
);
grant select, insert on upc_owners to tonearm_operator;

-- A range is stored as several blocks, each with its counter, so that concurrent creations do not wait for one row.
create table upc_blocks (
  org_id       uuid not null,
  first_number bigint not null,
  last_number  bigint not null,
  next_number  bigint not null,
  primary key (org_id, first_number),
  check (first_number <= next_number and next_number <= last_number + 1)
);
call protect_tenant_table('upc_blocks');
grant select, update on upc_blocks to tonearm_app;
grant select, insert on upc_blocks to tonearm_operator;

-- Numbers of the organization's ranges that a partner named in a request: allocate_upc_number() skips them.
create table upc_reservations (
  org_id uuid not null,
  number bigint not null,
  primary key (org_id, number)
);
call protect_tenant_table('upc_reservations');
grant select, insert on upc_reservations to tonearm_app;

-- The next free number, from the first block that no other transaction has locked, else from the first block whose lock
-- is released; null if no number is left. A transaction that rolls back returns its number.
create function allocate_upc_number(org uuid) returns bigint
  language plpgsql as $$
declare
  block upc_blocks;
begin
  loop
    select * into block from upc_blocks
      where org_id = org and next_number <= last_number
      order by first_number limit 1 for update skip locked;
    if not found then
      select * into block from upc_blocks
        where org_id = org and next_number <= last_number
        order by first_number limit 1 for update;
    end if;
    -- The last number of the awaited block may have been allocated meanwhile, while another block has numbers left.
    if not found then
      if not exists (select from upc_blocks where org_id = org and next_number <= last_number) then
        return null;
      end if;
      continue;
    end if;
    update upc_blocks set next_number = block.next_number + 1
      where org_id = org and first_number = block.first_number;
    if not exists (select from upc_reservations where org_id = org and number = block.next_number) then
      return block.next_number;
    end if;
  end loop;
end $$;

-- Directory: the organization that owns an ISRC registrant code. No code has two owners.
create table isrc_owners (
  registrant text primary key check (registrant ~ '^[A-Z]{2}[A-Z0-9]{3}$'),
  org_id     uuid not null
);
grant select, insert on isrc_owners to tonearm_operator;

-- The registrant codes of an organization. allocate_isrcs() uses up one before it starts the next.
create table isrc_registrants (
  org_id     uuid not null,
  registrant text not null,
  primary key (org_id, registrant)
);
call protect_tenant_table('isrc_registrants');
grant select on isrc_registrants to tonearm_app;
grant select, insert on isrc_registrants to tonearm_operator;
