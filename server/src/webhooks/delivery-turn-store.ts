/**
 * The SQL that keeps the order of a subject's events. Whoever sends takes the turn of the subject, in all processes
 * together, and from then on everything older is superseded: the newer event may have arrived, whatever becomes of the
 * answer.
 *
 * A turn ends when its attempt is stored. If its worker has died, the turn can be taken over at once for the same
 * event; for a newer event only when the attempt must have ended, because a worker that only lost its database still
 * sends.
 */
import type { Query } from '../db/database.ts';
import { workerLockClass } from '../jobs/job-runner.ts';
import { deliveryStates } from './delivery-state.ts';

export type TurnWish = {
  readonly merchantId: string;
  readonly deliveryId: string;
  readonly worker: number;
  readonly now: Date;
  /** What began before this time has ended. */
  readonly staleBefore: Date;
};

/** 'taken': another attempt of this subject may be running. */
export async function takeTurn(query: Query, wish: TurnWish): Promise<'mine' | 'taken' | 'superseded'> {
  const { merchantId, deliveryId, worker, now, staleBefore } = wish;
  const attemptLimit = `${now.getTime() - staleBefore.getTime()} milliseconds`;
  const [row] = await query<{ is_mine: boolean }>`
    with mine as (
      select delivery.*, event.sequence as event_sequence, event.type
        from delivery join event on event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
       where delivery.merchant_id = ${merchantId} and delivery.id = ${deliveryId} and delivery.state = 'PENDING'
    ), turn as (
      insert into webhook_turn as held (merchant_id, subject, newest, event_id, delivery_id, worker, begun_at)
      select merchant_id, subject, event_sequence, event_id, id, ${worker}::integer, ${now}::timestamptz from mine
          on conflict (merchant_id, subject) do update
         set newest = excluded.newest, event_id = excluded.event_id, delivery_id = excluded.delivery_id,
             worker = excluded.worker, begun_at = excluded.begun_at,
             quiet_until = case when held.worker is null then held.quiet_until
                                else greatest(held.quiet_until, held.begun_at + ${attemptLimit}::interval) end
       where held.newest <= excluded.newest
         and (held.worker is null
              or (held.worker = excluded.worker and held.delivery_id = excluded.delivery_id)
              or not exists (select from pg_locks
                              where locktype = 'advisory' and classid = ${workerLockClass}::oid
                                and objid = held.worker::oid
                                and database = (select oid from pg_database where datname = current_database())))
         and (held.newest = excluded.newest
              or ((held.quiet_until is null or held.quiet_until <= ${now})
                  and (held.worker is null or held.begun_at <= ${staleBefore})))
      returning held.merchant_id
    ), overtaken as (
      update delivery older
         set state = ${deliveryStates.to('supersede')}, next_at = null, superseded_by = mine.event_id,
             failure = 'A newer event, ' || mine.type || ', was sent before it.'
        from turn, mine, event
       where older.merchant_id = mine.merchant_id and older.subject = mine.subject and older.state = 'PENDING'
         and older.state = any(${deliveryStates.from('supersede')})
         and older.sequence < mine.sequence
         and event.merchant_id = older.merchant_id and event.id = older.event_id
         and event.sequence < mine.event_sequence
    )
    select exists (select from turn) as is_mine`;
  if (row?.is_mine) return 'mine';
  const superseded = await query`
    update delivery
       set state = ${deliveryStates.to('supersede')}, next_at = null, superseded_by = turn.event_id,
           failure = 'A newer event, ' || newer.type || ', was sent before it.'
      from event, webhook_turn turn
      join event newer on newer.merchant_id = turn.merchant_id and newer.id = turn.event_id
     where delivery.merchant_id = ${merchantId} and delivery.id = ${deliveryId}
       and delivery.state = any(${deliveryStates.from('supersede')})
       and event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
       and turn.merchant_id = delivery.merchant_id and turn.subject = delivery.subject
       and turn.newest > event.sequence
    returning delivery.id`;
  return superseded.length > 0 ? 'superseded' : 'taken';
}
