/**
 * Writes to somebody of the operator's staff what waits for them. What is settled meanwhile, or is not theirs any more, is
 * left out; if nothing is left nobody is written to. In English, as the pages that it leads to.
 */
import { createHash } from 'node:crypto';
import type { Query } from '../db/database.ts';
import { houseKindsFor, houseNeeds, houseNeedWords } from '../finding/house-needs.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { findPerson } from '../people/person-store.ts';
import { staffGrantOf } from '../people/staff-roles.ts';
import { findStaffRole } from '../people/staff-store.ts';
import { html } from '../web/html.ts';
import { AddressRefused, type SendEmail } from './send-email.ts';

export type SendStaffNeedsDeps = {
  readonly db: Query;
  readonly clock: Clock;
  readonly log: Log;
  readonly networks: readonly string[];
  readonly accountUrl: string;
  /** Null: mail is off. */
  readonly sendEmail: SendEmail | null;
};

export async function sendStaffNeeds(deps: SendStaffNeedsDeps, told: JobCatalog['staff.mail']): Promise<void> {
  const { db, log, accountUrl, sendEmail } = deps;
  const { personId, items, isDigest } = told;
  const [person, role] = await Promise.all([findPerson(db, personId), findStaffRole(db, personId)]);
  if (sendEmail === null || !person || !role) return;
  const kinds = houseKindsFor((permission) => staffGrantOf(permission, role) !== 'no');
  const needs = (await houseNeeds(deps)).filter(({ kind, name }) => kinds.includes(kind) && items.includes(name));
  if (needs.length === 0) return;
  const counts = new Map<string, number>();
  for (const { kind } of needs) counts.set(houseNeedWords[kind], (counts.get(houseNeedWords[kind]) ?? 0) + 1);
  const lines = Array.from(counts, ([text, count]) => (count === 1 ? text : `${text} (${count})`));
  const place = `${accountUrl}/operator/needs-you`;
  const opening = 'This waits for you in the house:';
  const change = 'What you are told of, and how often, you choose here:';
  const choose = `${place}/notifications`;
  try {
    await sendEmail({
      // The same for every attempt: a mail program takes a repetition for what it is.
      id: `staff.${createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 32)}`,
      to: person.email,
      language: 'en',
      subject: isDigest ? 'Quittance: what waits for you today' : 'Quittance: something needs you',
      text: `${[opening, '', ...lines.map((line) => `- ${line}`), '', place, '', change, choose].join('\n')}\n`,
      html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"></head>
<body><p>${opening}</p><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul><p><a href="${place}">${place}</a></p><p>${change} <a href="${choose}">${choose}</a></p></body></html>
`.toString(),
    });
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    log.info({ personId }, 'the address of a person was refused');
  }
}
