/** Target accounts: labelled destinations that transfers go to. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { nextPage, pageQuery } from './page.ts';
import { here, idInput, idText, memoType, named, nullable, textOrNumber, timestamp } from './text.ts';

/** Everything may also come inside `targetAccount`. */
const inside = (name: string, otherNames: readonly string[] = []) => named([`targetAccount.${name}`, ...otherNames]);

export const targetAccountBody = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        ...idInput('Id of a target account that is to be changed; without it, one is created.'),
        ...inside('id', ['targetAccountId']),
      }),
    ),
    label: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 60,
        description: 'The name that POST /transfer knows it by; unique in the account.',
        ...inside('label'),
      }),
    ),
    network: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Network id from GET /networks.', ...inside('network') }),
    ),
    assets: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
        maxItems: 20,
        description:
          'Ids or codes of the only assets that may be sent there. Without it, or empty: all of the network.',
        ...inside('assets'),
      }),
    ),
    address: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'Address on the network; at a bank the IBAN or, where accounts have none, their number (SWIFT).',
        ...inside('address'),
      }),
    ),
    memo: Type.Optional(
      Type.Unsafe<string>({
        ...textOrNumber(200, 'Memo that the receiver asks for; an empty text takes it away.'),
        ...inside('memo'),
      }),
    ),
    memoType: Type.Optional(
      Type.Unsafe<Static<typeof memoType>>({
        ...here(memoType, 'Kind of the memo; text, if there is a memo.'),
        ...inside('memoType'),
      }),
    ),
    beneficiaryId: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Id of the beneficiary whose account it is; an empty text takes it away.',
        ...inside('beneficiaryId'),
      }),
    ),
    bic: Type.Optional(
      Type.String({
        pattern: '^([A-Za-z]{4}[A-Za-z]{2}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?)?$',
        description:
          'BIC of the bank, where it is needed: by SWIFT, and by SEPA outside the EEA; an empty text takes it away.',
        ...inside('bic'),
      }),
    ),
  },
  { title: 'SaveTargetAccountRequest', description: 'A destination that is to be created or changed.' },
);

const idOrLabel = {
  id: Type.Optional(Type.String({ ...idInput('Id of the target account.'), ...inside('id', ['targetAccountId']) })),
  label: Type.Optional(
    Type.String({ minLength: 1, maxLength: 60, description: 'Its label, instead of the id.', ...inside('label') }),
  ),
};

export const targetAccountDeleteBody = Type.Object(idOrLabel, {
  title: 'DeleteTargetAccountRequest',
  description: 'Which destination is to be deleted: its id or its label.',
});

export const targetAccountQuery = Type.Object(idOrLabel);

export const targetAccountIdReply = Type.Object(
  { targetAccountId: idText('Id of the target account.') },
  { title: 'TargetAccountIdReply', description: 'Which destination it was.' },
);

export const targetAccountRecord = Type.Object(
  {
    id: idText('Id of the target account.'),
    label: Type.String({ description: 'The name that POST /transfer knows it by.' }),
    network: Type.String({ description: 'Network id.' }),
    networkName: Type.String({ description: 'Network name.' }),
    assets: Type.Array(Type.String(), {
      description: 'Ids of the only assets that may be sent there; empty: all of the network.',
    }),
    address: Type.String({ description: 'Address on the network.' }),
    memo: nullable(Type.String({ description: 'Memo that is sent along.' })),
    memoType: nullable(Type.String({ description: 'Kind of the memo.' })),
    beneficiaryId: nullable(Type.String({ description: 'Id of the beneficiary whose account it is.' })),
    bic: nullable(Type.String({ description: 'BIC of the bank, if one was given.' })),
    usableFrom: timestamp('From when on transfers may go there: a new or changed destination can have to wait.'),
    timestamp: timestamp('When the target account was created.'),
  },
  { title: 'TargetAccount', description: 'A labelled destination of transfers.' },
);

export const targetAccountReply = Type.Object(
  { targetAccountId: idText('Id of the target account.'), targetAccount: targetAccountRecord },
  { title: 'TargetAccountReply', description: 'A labelled destination.' },
);

export const targetAccountsQuery = Type.Object({
  ...pageQuery,
  network: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Only destinations on this network.' }),
  ),
});

export const targetAccountsReply = Type.Object(
  { targetAccounts: Type.Array(targetAccountRecord, { description: 'Newest first.' }), next: nextPage },
  { title: 'TargetAccountList', description: 'A page of labelled destinations.' },
);

export type TargetAccountBody = Static<typeof targetAccountBody>;
export type TargetAccountRecord = Static<typeof targetAccountRecord>;
