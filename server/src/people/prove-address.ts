/** Somebody who signs in shows that their address is theirs: by a link that goes there, and is good for nobody else. */
import type { Db } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { notFound } from '../lib/errors.ts';
import { auditWhereverTheyAre } from './audit-sign-in.ts';
import { takeAttempt } from './guessing.ts';
import { newLink } from './join-account.ts';
import { mailLink } from './mail-link.ts';
import { deleteLinksOf } from './one-time-link-store.ts';
import { addressProven, addressTaken } from './people-errors.ts';
import { normalizedEmail, type Person } from './person.ts';
import { findPerson, findPersonId, saveProof } from './person-store.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

export async function askForProofOfAddress({ db, clock }: Deps, person: Person, address: string): Promise<void> {
  if (person.isProven) throw addressProven();
  const now = clock.now();
  // Whoever says that an address is theirs could fill its mailbox otherwise.
  await takeAttempt(db, { subject: `prove ${person.email}`, address }, now);
  await db.begin(async (tx) => {
    await deleteLinksOf(tx, person.id, 'prove');
    const nobody = { email: person.email, merchantId: null, role: null, staffRole: null };
    const link = { ...newLink(nobody, 'prove', 'operator', now), personId: person.id };
    await mailLink(tx, link, person.language);
  });
}

/** The operator knows whose address it is: at the command line, where there is no mail server. By what they sign in by. */
export async function vouchForAddress({ db, clock }: Deps, given: string): Promise<Person> {
  const now = clock.now();
  return db.begin(async (tx) => {
    const personId = await findPersonId(tx, normalizedEmail(given));
    const person = personId === undefined ? undefined : await findPerson(tx, personId);
    if (!person) throw notFound('person', given);
    if (person.isProven) throw addressProven();
    if (!(await saveProof(tx, person.id, person.email, now))) throw addressTaken();
    const entry = { at: now, actor: 'operator' as const, action: 'person.proven', detail: { person: person.id } };
    await auditWhereverTheyAre(tx, person.id, entry);
    return { ...person, isProven: true };
  });
}
