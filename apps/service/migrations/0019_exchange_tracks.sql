-- Tracks of one request may exchange their positions and references. A unique index refuses each row at once; a
-- deferrable constraint is checked when the statement ends.
drop index tracks_disc_position;
alter table tracks add constraint tracks_disc_position unique (org_id, release_id, disc, position) deferrable;

-- A constraint has no condition. Tracks without a reference do not collide, because null is not equal to null.
drop index tracks_reference;
alter table tracks add constraint tracks_reference unique (org_id, reference) deferrable;
