-- What partners read of a message to a store (ADR 0050).
alter table store_batches
  -- As it was sent: the store may read another version now. Null: sent before this was recorded.
  add column ern_version text,
  -- Named in the message and not sent, because the store had them.
  add column unsent_files jsonb not null default '[]';
