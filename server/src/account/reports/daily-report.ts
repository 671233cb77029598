/** The signed days of an account, with how to prove them. */
import type { Db } from '../../db/database.ts';
import type { Encryption } from '../../lib/encryption.ts';
import { checkChains, isSignedLater } from '../../reports/check-statement-chain.ts';
import { type DailyStatement, envelopeOf, readDailyStatement } from '../../reports/daily-statement.ts';
import {
  listDailyStatements,
  listNumberedStatements,
  type SignedStatement,
} from '../../reports/daily-statement-store.ts';
import { openStatementKeys, publicKeysOf, statementKeysPath } from '../../reports/statement-key.ts';
import { html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { numberText } from '../../web/number-text.ts';
import { dayText } from '../frame/day-text.ts';
import { jsonFile, type Report, type ReportContext, reportsPath } from './report-frame.ts';

export function dailyReport({ db, encryption }: { readonly db: Db; readonly encryption: Encryption }): Report {
  const read = ({ merchant, covered }: ReportContext) => listDailyStatements(db, merchant.id, covered);
  return {
    name: 'daily',
    title: 'reportDaily',
    async show(context) {
      const { look } = context;
      const { say, language, may } = look;
      const signed = await read(context);
      const unproven = await unprovenNumbers(context.merchant.id, signed);
      const proof = (said: DailyStatement, number: number) => {
        if (unproven.has(number)) return html`<span class="state fail">${icon('alert')}${say('dailyNotProven')}</span>`;
        if (isSignedLater(said)) return html`<span class="state wait">${icon('wait')}${say('dailySignedLater')}</span>`;
        return html`<span class="state paid">${icon('check')}${say('dailySigned')}</span>`;
      };
      const statements = signed.map((each) => ({ ...each, said: JSON.parse(each.body) as DailyStatement }));
      const rows = statements.toReversed().map(({ number, day, said, digest }) => {
        const { firstDay, entries, audit } = said;
        const file = `${reportsPath}/daily/export?period=${day}&format=json`;
        const name = firstDay === day ? dayText(look, day) : `${dayText(look, firstDay)} – ${dayText(look, day)}`;
        const short = `${digest.slice(0, 4)}…${digest.slice(-4)}`;
        const count = (many: number): string => numberText(language, String(many));
        return html`<tr><th scope="row">${may('exportReports') ? html`<a href="${file}" data-plain>${name}</a>` : name}<span class="sub mono">${short}</span></th><td class="n desk">${count(entries.count)}</td><td class="n desk">${count(audit.count)}</td><td class="mono desk" title="${digest}">${short}</td><td>${proof(said, number)}</td></tr>`;
      });
      const table = html`<div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-daily"><table class="table calm"><thead><tr><th scope="col">${say('day')}</th><th scope="col" class="n desk">${say('entries')}</th><th scope="col" class="n desk">${say('dailyAudit')}</th><th scope="col" class="desk">${say('dailyDigest')}</th><th scope="col">${say('dailySignature')}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
      return {
        main: html`<section class="part"><div class="part-head"><h2 id="h-daily">${say('dailyStatements')}</h2></div>
${rows.length === 0 ? html`<p class="lead">${say('noDailyStatements')}</p>` : table}${statements.some(({ said }) => isSignedLater(said)) && html`<p class="small quiet">${say('dailySignedLaterText')}</p>`}</section>
<section class="part" aria-labelledby="h-verify"><div class="part-head"><h2 id="h-verify">${say('dailyVerify')}</h2></div>
<p>${say('dailyVerifyText')}</p><p><a href="${statementKeysPath}" data-plain>${say('dailyKeys')}</a></p><p class="mono breaks">npx quittance statement verify --file statement.json --keys keys.json</p><p class="mono breaks">npx quittance statement verify --file statement.json</p></section>`,
      };
    },
    files: { json: async (context) => jsonFile((await read(context)).map(envelopeOf)) },
  };

  /** Of those that are shown: what is not signed by us, or does not follow from the one before it. */
  async function unprovenNumbers(
    merchantId: string,
    signed: readonly SignedStatement[],
  ): Promise<ReadonlySet<number | null>> {
    const first = signed[0]?.number ?? 1;
    const before = await listNumberedStatements(db, merchantId, { from: first - 1, to: first });
    const keys = publicKeysOf(await openStatementKeys(db, encryption));
    const { problems } = checkChains(keys, [...before, ...signed].map(envelopeOf));
    const ofOthers = signed.filter(({ body, number }) => {
      const said = readDailyStatement(body);
      return said?.account !== merchantId || said.number !== number;
    });
    return new Set([...problems, ...ofOthers].map(({ number }) => number));
  }
}
