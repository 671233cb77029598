/** What an account has set. It is changed by people, in the account. */
import type { Static } from 'typebox';
import { authMethod } from './account.ts';
import { Type } from './json-schema.ts';
import { decimalText } from './money.ts';
import { here, nullable } from './text.ts';

const limit = (description: string) => nullable(decimalText(`${description} In the account currency; null: no limit.`));

const untaxedKind = Type.Enum(['Z', 'E', 'AE', 'G', 'K', 'O'], {
  title: 'UntaxedKind',
  description:
    'What has no tax, as EN 16931 calls it: zero rated (Z), exempt (E), reverse charge (AE), export (G), intra-community ' +
    'supply (K), outside the scope of VAT (O).',
});

const sellerText = (description: string) => nullable(Type.String({ description }));

export const settingsRecord = Type.Object(
  {
    name: Type.String({ description: 'Name of the account.' }),
    email: nullable(Type.String({ description: 'E-mail address of the business.' })),
    postalAddress: nullable(Type.String({ description: 'Postal address of the business, in lines.' })),
    seller: Type.Object(
      {
        street: sellerText('Street and number.'),
        postcode: sellerText('Postal code.'),
        city: sellerText('City.'),
        country: sellerText('Country, two letters of ISO 3166-1.'),
        vatId: sellerText('VAT id, which begins with its country.'),
        taxNumber: sellerText('Number at the tax office or in a register.'),
        untaxedAs: nullable(here(untaxedKind, 'What positions without tax are; null: it was not said.')),
        exemptBecause: sellerText('Why what is exempt is so.'),
      },
      { title: 'SellerSettings', description: 'What electronic invoices say about the business.' },
    ),
    accountCurrency: Type.String({ description: 'Currency in which limits and tolerances are counted.' }),
    timeZone: Type.String({ description: 'In which days are counted and papers are dated, such as Europe/Berlin.' }),
    api: Type.Object(
      {
        addresses: Type.Enum(['any', 'list'], { description: 'From where the API can be called.' }),
        allowedAddresses: Type.Array(Type.String(), { description: 'The list, as CIDR ranges.' }),
        isListForPeople: Type.Boolean({ description: 'Whether people reach the account only from the list, too.' }),
        isBasicAllowed: Type.Boolean({ description: 'Whether X-Basic works beside the digest.' }),
        preferredMethod: here(authMethod, 'How clients of this account should sign.'),
      },
      { title: 'ApiSettings', description: 'How the API can be called.' },
    ),
    settlement: Type.Object(
      {
        asset: Type.String({
          description: 'Credited where a charge does not say: an asset id or its code, or ORIGIN.',
        }),
        riskTolerance: Type.Enum(['LOW', 'MEDIUM'], { description: 'The account is credited in nothing riskier.' }),
        highRiskAssets: Type.Array(Type.String(), {
          description: 'Codes of the HIGH assets that are enabled by name.',
        }),
        tolerancePercent: decimalText('How many percent of a price may be missing.'),
        toleranceAmount: decimalText('And at most this, in the account currency.'),
        lateTolerancePercent: decimalText('How many percent of their value late payments may have lost.'),
        acceptFromPercent: nullable(
          decimalText('An underpayment of at least so many percent is accepted by itself; null: none.'),
        ),
        extraConfirmations: Type.Integer({ description: 'Waited for beyond what the service does.' }),
        rateOfBooking: Type.Boolean({
          description:
            'Whether payments by bank are also offered where they are credited in another asset, at the rate when they are booked.',
        }),
      },
      { title: 'SettlementSettings', description: 'What is credited, and when.' },
    ),
    limits: Type.Object(
      {
        approvalAbove: limit('What leaves in 24 hours beyond this needs a second approval.'),
        refundApprovalAbove: limit('Likewise of refunds alone; where it is null they count with transfers.'),
        perDay: limit('No more than this leaves in 24 hours.'),
        support: nullable(
          decimalText(
            'What each person of the role support decides in 24 hours. In the account currency; null: nothing.',
          ),
        ),
        destinationWaitMinutes: Type.Integer({ description: 'How long a new destination must wait.' }),
      },
      { title: 'LimitSettings', description: 'What holds money back.' },
    ),
    statusMails: Type.Object(
      {
        created: Type.Boolean({ description: 'A hosted checkout was made for them.' }),
        paid: Type.Boolean({ description: 'It is paid: the receipt, with a link to the invoice.' }),
        underpaid: Type.Boolean({ description: 'A part has come, and there is time left to send the rest.' }),
        expired: Type.Boolean({ description: 'The time to pay is over, and a part of the money is missing.' }),
        refunded: Type.Boolean({ description: 'Money was sent back.' }),
      },
      { title: 'StatusMailSettings', description: 'Of what the customer of a checkout is told by e-mail.' },
    ),
  },
  { title: 'Settings', description: 'The settings of the account.' },
);

export const settingsReply = Type.Object(
  { settings: settingsRecord },
  { title: 'SettingsReply', description: 'The settings.' },
);

export type SettingsRecord = Static<typeof settingsRecord>;
