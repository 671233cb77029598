import { personActor } from '@quittance/server/http/actor';
import { notFound } from '@quittance/server/lib/errors';
import { type AuditRow, listAudit } from '@quittance/server/merchants/audit-store';
import { findMerchant } from '@quittance/server/merchants/merchant-store';
import { findPersonId } from '@quittance/server/people/person-store';
import { type Command, CommandError, command, UsageError } from '../command-line.ts';
import { textTable } from '../text-table.ts';

const usualLimit = 50;
const limitMax = 1_000;

export const auditCommands: readonly Command[] = [
  command({
    name: 'audit list',
    summary: 'List who did what in an account, the newest first.',
    details: 'The same as the audit log of the account. --before continues where the page before ended.',
    arguments: ['merchantId'],
    options: {
      person: { value: 'email', meaning: 'Only what this person did.' },
      kind: { value: 'beginning', meaning: 'Only actions that begin like this, such as transfer or person.' },
      since: { value: 'date', meaning: 'Only from then on, such as 2026-11-01.' },
      before: { value: 'id', meaning: 'Only rows before this one.' },
      limit: { value: 'count', meaning: `At most so many (${usualLimit}).` },
    },
    examples: ['audit list 4cq0zr1lbdk9', 'audit list 4cq0zr1lbdk9 --person ada@example.com --kind settings'],
    async run({ withDatabase }, { merchantId }, { person, kind, since, before = null, limit = String(usualLimit) }) {
      const from = since === undefined ? null : new Date(since);
      if (from && Number.isNaN(from.getTime())) throw new UsageError('--since must be a date such as 2026-11-01.');
      if (before !== null && !/^\d{1,18}$/.test(before)) throw new UsageError('--before must be the id of a row.');
      const most = Number(limit);
      if (!Number.isInteger(most) || most < 1 || most > limitMax)
        throw new UsageError(`--limit must be a whole number from 1 to ${limitMax}.`);
      const rows = await withDatabase(async (db) => {
        if (!(await findMerchant(db, merchantId))) throw notFound('merchant', merchantId);
        const personId = person === undefined ? null : await findPersonId(db, person.trim().toLowerCase());
        if (personId === undefined) throw new CommandError(`Nobody signs in with ${person}.`);
        const actor = personId === null ? null : personActor(personId);
        const beginnings = kind === undefined ? null : [kind];
        return listAudit(db, merchantId, { actor, beginnings, from, to: null, before, limit: most });
      });
      const text = textTable(['ID', 'WHEN', 'WHO', 'WHAT', 'FROM', 'PROOF', 'DETAIL'], rows.map(asCells));
      return { data: rows, text };
    },
  }),
];

const asCells = ({ id, at, actor, action, address, proof, detail }: AuditRow): string[] => [
  id,
  at.toISOString(),
  actor,
  action,
  address ?? '',
  proof ?? '',
  JSON.stringify(detail),
];
