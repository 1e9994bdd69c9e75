-- The authoritative records (contract §2, §4). Later versions only add.
-- The number of partitions is set once, at install: a later value changes nothing (this script does not run again).

-- Tokens: the sequence orders claims within one timeline, the timeline in front of it keeps them growing after a
-- failover that lost some of the sequence's log (reliability S7). 40 bits last for a million claims a second for 12 days
-- and for a thousand claims a second for 34 years; then nextval fails, and no claim is made.
create sequence token_sequence as bigint minvalue 1 maxvalue 1099511627775 no cycle cache 1;

-- Of the current timeline only the log position tells the truth at any moment: pg_control_checkpoint() still names the
-- old one until the first checkpoint after a promotion.
create function next_token() returns bigint language sql volatile as $$
  select (('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::bigint << 40)
         | nextval('"${flyway:defaultSchema}".token_sequence')
$$;

create table record (
  id                  bytea       not null,
  state               text        not null,
  tenant              text        not null,
  route               text        not null,
  principal_tag       bytea       not null,
  fingerprint_version integer     not null,
  fingerprint         bytea       not null,
  policy              text        not null,
  secret_id           text        not null,
  token               bigint      not null,
  claim_id            uuid        not null,
  owner               text        not null,
  claimed_at          timestamptz not null,
  lease_until         timestamptz not null,
  retention_ms        bigint      not null,
  tombstone_ms        bigint      not null,
  inputs              bytea       not null,
  unknown_since       timestamptz,
  unknown_reason      text,
  status              smallint,
  head                bytea,
  body_kind           text,
  body                bytea,
  digest              bytea,
  sealed              boolean,
  completed_at        timestamptz,
  reconstructed       boolean     not null default false,
  primary key (id),

  constraint record_id_is_digest check (octet_length(id) = 32),
  constraint record_state_known check (state in ('claimed', 'completed', 'unknown', 'expired')),
  constraint record_token_positive check (token > 0),
  constraint record_fingerprint_whole check (fingerprint_version > 0 and octet_length(fingerprint) = 32),
  constraint record_times_not_negative check (retention_ms >= 0 and tombstone_ms >= 0),

  -- No 5xx is ever stored, whatever a route says (contract §4).
  constraint record_status_terminal check (status is null or status between 200 and 499),

  -- An unsettled record has no outcome. (IS NULL throughout: a check that comes to NULL lets the row pass.)
  constraint record_unsettled_has_no_outcome check (
    state not in ('claimed', 'unknown')
    or (status is null and head is null and body_kind is null and digest is null and sealed is null
        and completed_at is null and not reconstructed)),
  constraint record_unknown_has_reason check (
    state <> 'unknown' or (unknown_since is not null and unknown_reason is not null)),
  constraint record_completed_is_whole check (
    state <> 'completed'
    or (status is not null and head is not null and body_kind is not null and sealed is not null
        and completed_at is not null and digest is not null and octet_length(digest) = 32)),

  -- Past the deadline the stored answer is gone, the tombstone stays.
  constraint record_expired_is_bare check (
    state <> 'expired'
    or (status is not null and completed_at is not null and head is null and body_kind is null
        and digest is null and sealed is null)),

  constraint record_body_kind_known check (body_kind is null or body_kind in ('inline', 'reference', 'none')),
  constraint record_body_where_it_says check ((body is not null) = coalesce(body_kind = 'inline', false))
) partition by hash (id);

-- Bodies over capture.inline: out of the record, so that renewals and completions do not copy them. Written and deleted
-- with their record, in the same statement; no foreign key, which would cost a look-up per claim and say no more.
create table body (
  id    bytea not null,
  bytes bytea not null,
  primary key (id),
  constraint body_id_is_digest check (octet_length(id) = 32)
) partition by hash (id);

-- Stored answers are encrypted: trying to compress them is lost work.
alter table record alter column body set storage external;
alter table body alter column bytes set storage external;

do $$
begin
  for i in 0 .. ${partitions} - 1 loop
    -- A record is updated at least once, by its completion, and no indexed column changes: with room in its page the
    -- update stays there and touches no index.
    execute format('create table record_%s partition of record for values with (modulus ${partitions}, remainder %s)'
                   ' with (fillfactor = 70)', i, i);
    execute format('create table body_%s partition of body for values with (modulus ${partitions}, remainder %s)', i, i);
  end loop;
end
$$;
