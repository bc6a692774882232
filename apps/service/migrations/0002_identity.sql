-- Organizations, their API keys and their UPC pools.
create table organizations (
  org_id               uuid primary key,
  name                 text not null check (char_length(name) between 1 and 200),
  tier                 text not null check (tier in ('starter', 'growth', 'enterprise')),
  default_label        text not null check (char_length(default_label) between 1 and 500),
  licensed_territories text[] not null check (cardinality(licensed_territories) > 0), -- {WORLD}: all
  suspended_at         timestamptz,
  clock_offset_ms      bigint not null default 0, -- the sandbox clock: business time minus real time
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  actor_type           text not null,
  actor_id             text not null
);
call protect_tenant_table('organizations');
grant select on organizations to tonearm_app;
grant select, insert, update on organizations to tonearm_operator;

-- Opens a tenant's transaction: sets the organization, then reads its clock under that context.
-- A function, because within one plain SELECT the order of the two would be the planner's to choose.
create function open_tenant(org uuid) returns bigint
  language plpgsql as $$
begin
  perform set_config('app.org_id', org::text, true);
  return coalesce((select clock_offset_ms from organizations where org_id = org), 0);
end $$;

create table api_keys (
  org_id     uuid not null,
  id         uuid not null,
  name       text not null check (char_length(name) between 1 and 200),
  hint       text not null, -- the key's last four characters, to tell keys apart
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

-- Directory: which organization a credential belongs to. Only the hash of the secret is stored.
create table credentials (
  sha256 bytea primary key check (length(sha256) = 32),
  org_id uuid not null,
  key_id uuid not null
);
grant select on credentials to tonearm_directory;
grant insert on credentials to tonearm_operator;

-- Directory: which organization a range of UPC numbers belongs to. No number has two owners.
create table upc_owners (
  numbers int8range primary key,
  org_id  uuid not null,
  exclude using gist (numbers with &&)
);
grant select, insert on upc_owners to tonearm_operator;

-- A range is stored in several lanes, so that releases created at once do not wait for one counter.
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

-- Numbers the organization used by naming the UPC itself: its pool passes them over.
create table upc_reservations (
  org_id uuid not null,
  number bigint not null,
  primary key (org_id, number)
);
call protect_tenant_table('upc_reservations');
grant select, insert on upc_reservations to tonearm_app;

-- The next free number: from a lane nobody holds, else from the first that becomes free; null when
-- the pool is empty. A transaction that rolls back gives its number back.
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
    -- The lane waited for may have been emptied meanwhile while another still has numbers.
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
