/** Reports about closed days of an account. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { decimalText } from './money.ts';
import { here, nullable } from './text.ts';

const beforeAndAfter = Type.Object(
  { opening: decimalText('Before.'), closing: decimalText('After.') },
  { title: 'BeforeAndAfter', description: 'A balance before and after a period.' },
);

export const statementLine = Type.Enum(
  ['credits', 'deposits', 'fees', 'refunds', 'swaps', 'transfers', 'reversals', 'debts', 'other'],
  {
    title: 'StatementLine',
    description:
      'Which line: credits and deposits before fees; fees of the service; what was set aside for refunds, swaps and ' +
      'transfers, less what came back; what vanished from a chain; what was owed (plus) and repaid (minus).',
  },
);

export const statementQuery = Type.Object({
  period: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description:
        'A day, month, quarter or year in the time zone of the account: 2026-10-17, 2026-10, 2026-Q4, 2026. Left out: the ' +
        'month of the last closed day.',
    }),
  ),
});

/** Which closed days a report is about. */
export const covered = Type.Object(
  {
    period: Type.String({ description: 'Name of the period.' }),
    from: Type.String({ description: 'Its first day.' }),
    to: Type.String({ description: 'The last day that is covered: closed days only.' }),
    isComplete: Type.Boolean({ description: 'Whether all days of the period are closed.' }),
    timeZone: Type.String({ description: 'In which days begin and end.' }),
    accountCurrency: Type.String({ description: 'The currency of the values.' }),
  },
  { title: 'CoveredDays', description: 'Which days the report is about.' },
);

const movement = Type.Object(
  {
    line: statementLine,
    amount: decimalText('What it brought; with a minus, what it took.'),
    entries: Type.Integer({ description: 'How many entries of the ledger that is.' }),
    value: nullable(decimalText('Its worth, each movement at the rate of its hour; null without a rate.')),
  },
  { title: 'StatementMovement', description: 'What a line of the statement comes to in one asset.' },
);

const worth = Type.Object(
  {
    opening: decimalText('At the rate before.'),
    revaluation: decimalText('What changed because rates did, with what rounding left over.'),
    closing: decimalText('At the rate after.'),
  },
  { title: 'StatementWorth', description: 'What it was worth; null where no rate was ever known.' },
);

const statementAsset = Type.Object(
  {
    assetId: Type.String({ description: 'Asset id.' }),
    assetCode: Type.String({ description: 'Asset code.' }),
    opening: decimalText('What was available before.'),
    lines: Type.Array(movement, { description: 'What moved, in the order of the statement.' }),
    closing: decimalText('What was available after.'),
    addsUp: Type.Boolean({ description: 'Whether opening and lines come to closing.' }),
    pending: here(beforeAndAfter, 'Confirmed, but not credited.'),
    suspense: here(beforeAndAfter, 'Waiting for a decision.'),
    reserved: here(beforeAndAfter, 'On its way out.'),
    receivable: here(beforeAndAfter, 'Owed to the service, with a minus.'),
    value: nullable(worth),
  },
  { title: 'StatementAsset', description: 'What was there of an asset, and what moved.' },
);

const totalMovement = Type.Object(
  { line: statementLine, value: decimalText('Worth.') },
  { title: 'StatementTotalMovement', description: 'What a line of the statement is worth in all assets.' },
);

const statementTotal = Type.Object(
  {
    opening: decimalText('Before.'),
    lines: Type.Array(totalMovement, { description: 'What moved.' }),
    revaluation: decimalText('What changed because rates did.'),
    closing: decimalText('After.'),
  },
  { title: 'StatementTotal', description: 'All assets with a value, in the account currency.' },
);

export const statementRecord = Type.Object(
  {
    ...covered.properties,
    addsUp: Type.Boolean({ description: 'Whether opening and lines come to closing, in every asset.' }),
    assets: Type.Array(statementAsset, {
      description: 'Of every asset that was held or moved. `value` is null where no rate was ever known.',
    }),
    total: statementTotal,
  },
  {
    title: 'Statement',
    description: 'What an account had, what moved and what it has, for closed days. It does not change any more.',
  },
);

export const statementReply = Type.Object(
  { statement: statementRecord },
  { title: 'StatementReply', description: 'A statement.' },
);

export type StatementRecord = Static<typeof statementRecord>;
