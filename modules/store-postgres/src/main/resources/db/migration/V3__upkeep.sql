-- What upkeep needs: which rows to look at next, what happened that is out of the ordinary, and the books (contract §6,
-- §10). Nodes of the version before go on meanwhile: they write none of this, and no statement of theirs fails for it.
-- The records are locked until the index is built; no claim is made that long.

-- When upkeep has to look at this row next: claimed: the lease's end; unknown: the next question, null where a person
-- decides; completed: the deadline; expired: the tombstone's end. A hint for finding rows and nothing else: whoever finds
-- one judges it by its own times and the clock. A row without the hint (written by an older node or by hand) is looked at
-- at once and gets it then.
alter table record add column due_at timestamptz default '-infinity';

-- How often the tenant's API was asked about an unknown record, and what the timeline last said of that.
alter table record add column questions integer not null default 0;
alter table record add column last_said text not null default '';

-- With state and due time in an index, no completion is a heap-only update any more: each makes a new entry here and one
-- in the primary key, about 10 us of processor time, and leaves two to be cleaned up. The alternatives cost more: a table
-- of due times is a second row per claim and per completion, and without an index the sweep reads every live record.
--
-- A collation of its own keeps every statement that does not name it away from this index: a look-up by id must never
-- be planned as one by state, whatever the statistics were when it was planned.
create index record_due on record (state collate "C", due_at);

-- What is out of the ordinary. No foreign key: a timeline outlives its record, and has a retention of its own.
create table timeline (
  sequence bigint      generated always as identity,
  id       bytea       not null,
  tenant   text        not null,
  token    bigint      not null,
  at       timestamptz not null,
  kind     text        not null,
  by_whom  text        not null,
  said     text        not null,
  primary key (sequence),
  constraint timeline_id_is_digest check (octet_length(id) = 32)
);

create index timeline_record on timeline (id, sequence);
create index timeline_age on timeline (at);

-- The books: what a tenant's claims have come to, ever. A statement that claims or settles adds to a row of its own
-- connection, so that no two connections wait for each other's commit; the sum over the slots is the book. Two whose
-- process ids meet in one slot only wait. It is the last lock that a statement takes, in the order of the tenants, and
-- whoever holds one wants no record any more: so no cycle goes through it.
--
-- claims = completed + released + unknown + running; completed - expired are live, expired - forgotten are tombstones.
create table tally (
  tenant    text     not null,
  slot      smallint not null,
  claims    bigint   not null default 0,
  completed bigint   not null default 0,
  released  bigint   not null default 0,
  expired   bigint   not null default 0,
  forgotten bigint   not null default 0,
  primary key (tenant, slot)
) with (fillfactor = 10);

-- Begins the books anew, balanced with what is there. Claims that nodes of the version before make or settle after this
-- migration are not counted: an operator calls it again once they are gone. Nothing is claimed or settled meanwhile.
create function begin_books() returns void language sql as $$
  lock table record in exclusive mode;
  delete from tally;
  insert into tally (tenant, slot, claims, completed, expired)
  select tenant, -1, count(*), count(*) filter (where state in ('completed', 'expired')),
      count(*) filter (where state = 'expired')
  from record group by tenant;
$$;

select begin_books();
