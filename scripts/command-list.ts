/** Every command there is; each group has a file in commands/. */
import type { Command } from './command-line.ts';
import { accountCommands } from './commands/account-commands.ts';
import { auditCommands } from './commands/audit-commands.ts';
import { bankCommands } from './commands/bank-commands.ts';
import { booksCommands } from './commands/books-commands.ts';
import { brandCommands } from './commands/brand-commands.ts';
import { bridgeCommands } from './commands/bridge-commands.ts';
import { checkoutCommands } from './commands/checkout-commands.ts';
import { exportCommands } from './commands/export-commands.ts';
import { installationCommands } from './commands/installation-commands.ts';
import { keyCommands } from './commands/key-commands.ts';
import { linkCommands } from './commands/link-commands.ts';
import { mailCommands } from './commands/mail-commands.ts';
import { merchantCommands } from './commands/merchant-commands.ts';
import { movementCommands } from './commands/movement-commands.ts';
import { networkCommands } from './commands/network-commands.ts';
import { paperCommands } from './commands/paper-commands.ts';
import { paymentFileCommands } from './commands/payment-file-commands.ts';
import { personCommands } from './commands/person-commands.ts';
import { refundCommands } from './commands/refund-commands.ts';
import { reportCommands } from './commands/report-commands.ts';
import { sandboxBankCommands } from './commands/sandbox-bank-commands.ts';
import { sandboxCommands } from './commands/sandbox-commands.ts';
import { signUpCommands } from './commands/sign-up-commands.ts';
import { statementCommands } from './commands/statement-commands.ts';
import { suspenseCommands } from './commands/suspense-commands.ts';
import { transferCommands } from './commands/transfer-commands.ts';
import { walletCommands } from './commands/wallet-commands.ts';
import { webhookCommands } from './commands/webhook-commands.ts';

export const commands: readonly Command[] = [
  ...checkoutCommands,
  ...linkCommands,
  ...accountCommands,
  ...refundCommands,
  ...paperCommands,
  ...sandboxCommands,
  ...merchantCommands,
  ...keyCommands,
  ...webhookCommands,
  ...personCommands,
  ...signUpCommands,
  ...auditCommands,
  ...brandCommands,
  ...booksCommands,
  ...statementCommands,
  ...reportCommands,
  ...exportCommands,
  ...walletCommands,
  ...transferCommands,
  ...networkCommands,
  ...bridgeCommands,
  ...suspenseCommands,
  ...movementCommands,
  ...bankCommands,
  ...sandboxBankCommands,
  ...paymentFileCommands,
  ...mailCommands,
  ...installationCommands,
];
