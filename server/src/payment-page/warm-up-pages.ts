/**
 * Writes the pages of payers once for nobody. Whatever a process does for the first time takes it several times as long:
 * its first page would hold everybody for a tenth of a second, most of it while formats of numbers and dates are made
 * for a language (`web/intl-formats`).
 */
import { giveWay } from '../lib/give-way.ts';
import { createLook, type PageFiles, pageReply } from '../web/page-layout.ts';
import { languageCodes } from '../web/texts/page-texts.ts';
import { previewPage } from './preview-page.ts';
import { sampleStates } from './sample-checkouts.ts';

export async function warmUpPages(
  deps: { readonly isSandbox: boolean; readonly files: PageFiles },
  now: Date,
): Promise<void> {
  const inLanguage = (): string => '/';
  for (const language of languageCodes)
    for (const state of sampleStates) {
      const look = createLook(language, { ...deps, sendsReceipts: true });
      pageReply(200, look, previewPage(look, { state, merchant: undefined, now, inLanguage }));
      await giveWay();
    }
}
