/** How pages of settings answer: shown as they are; after a form, what became of it; refused, with what was typed. */
import type { PageReply } from '../../http/route.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { Html } from '../../web/html.ts';
import { accountReply } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { redirect } from '../frame/account-request.ts';
import type { MemberContext } from '../frame/account-route.ts';
import { type Outcome, outcomeOf, type SettingsFacts } from './settings-parts.ts';

type Page = (look: AccountLook, facts: SettingsFacts, context: MemberContext) => Html | Promise<Html>;

export function settingsReplies(page: Page, path: string) {
  return {
    async shown(context: MemberContext): Promise<PageReply> {
      const { look, merchant, request } = context;
      const facts = { merchant, outcome: outcomeOf(request.query), error: null, form: null };
      return accountReply(200, look, await page(look, facts, context));
    },
    /** `work` says what it did; a page of its own, where it has one to show. */
    async saved(context: MemberContext, work: () => Promise<Outcome | PageReply | void>): Promise<PageReply> {
      const { look, merchant, form } = context;
      try {
        const done = (await work()) ?? 'saved';
        return typeof done === 'string' ? redirect(`${path}?did=${done}`) : done;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        const facts = { merchant, outcome: null, error, form };
        return accountReply(error.httpStatus, look, await page({ ...look, path }, facts, context));
      }
    },
  };
}
