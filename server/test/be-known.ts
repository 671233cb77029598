import type { Gateway } from './gateway.ts';

/** As who has been in their accounts for long: whoever is new approves nothing for a day. */
export async function beKnown({ db, clock }: Pick<Gateway, 'db' | 'clock'>, email: string): Promise<void> {
  const long = new Date(clock.now().getTime() - 48 * 3_600_000);
  await db`
    update membership set hand_since = ${long} where person_id = (select id from person where email = ${email})`;
}
