/** What e-mails to people of the account say. `need_` is what waits, by kind alone: what it is about is read signed in. */
export const englishMailTexts = {
  direction: 'ltr',
  signInSubject: 'Your link to sign in',
  signInText: 'With this link you sign in, in the browser in which you asked for it. It works for 15 minutes, once:',
  invitationSubject: 'You are invited to {account}',
  invitationText: 'You are invited to the account {account} on Quittance. This link works for seven days, once:',
  invitationLaterText:
    'You are invited to the account {account} on Quittance. This link works once, from {from} on, for seven days:',
  staffInvitationSubject: 'You are invited to the staff of Quittance',
  staffInvitationText: 'You are invited to the staff that runs this Quittance. This link works for seven days, once:',
  recoverySubject: 'Your way back into {account}',
  recoveryText:
    'Somebody who may do so in {account} lets you sign in anew. This link works once, from {from} on, for two days:',
  recoveryAnnouncedSubject: '{name} is let into {account} anew',
  recoveryAnnouncedText:
    '{name} ({email}) has lost every way to sign in to {account} and was sent a link that works from {from} on. If that is not right, take it back on this page before then:',
  ownerInvitedSubject: '{account} is about to have an owner',
  ownerInvitedText:
    'Whoever runs this service invited {email} to own {account}, which nobody owns so far. The link works from {from} on. If this is not right, tell them before then:',
  approverLostSubject: 'You do not approve in {account} any more',
  approverLostText:
    'Somebody who may do so has removed you from {account}, or given you a role that does not approve. For seven days nobody there changes limits alone. If this is not right, tell the others and whoever runs this service at once:',
  signUpSubject: 'Confirm your e-mail address',
  signUpText:
    'Somebody asked for an account on Quittance with this e-mail address. If it was you, go on with this link. It works for 24 hours, once:',
  signUpApprovedSubject: '{account} is open',
  signUpApprovedText: 'The operator has opened the account {account} for you. You are its owner. Sign in here:',
  signUpRefusedSubject: '{account} was not opened',
  signUpRefusedText:
    'The operator has decided not to open the account {account}. If you have a question about that, ask whoever runs this service:',
  ignore: 'If you did not expect this message, you can ignore it.',
  askOperator: 'Questions? Ask whoever runs this service: {contact}',
  exportReadySubject: '{account}: your file is ready',
  exportReadyText:
    'The file that you asked for in the account {account} is ready. Only you can download it, for seven days:',
  statementSubject: '{account}: statement for {month}',
  statementText:
    'The statement of the account {account} for {month} is there. You can read it here, once you have signed in:',
  needsSubject: '{account}: something needs you',
  needsDigestSubject: '{account}: what waits for you today',
  needsOpening: 'In the account {account} this waits for you:',
  needsMore: '{count, plural, one {And one more, in Needs you.} other {And # more, in Needs you.}}',
  needsChange: 'What you are told of, and how often, you choose here:',
  need_policyToApprove: 'A change of the rules waits for approval',
  need_transferToApprove: 'A transfer waits for approval',
  need_refundToApprove: 'A refund waits for approval',
  need_takenBack: 'A payment was taken back by the network or bank',
  need_balanceOwed: 'The account owes the operator something',
  need_underpaid: 'An order is underpaid',
  need_surplus: 'An order was paid too much, twice or otherwise than asked',
  need_refundFailed: 'A refund failed',
  need_claimExpires: 'A refund was not fetched yet, and its link ends soon',
  need_webhooksGivenUp: 'Webhooks were given up',
  need_webhooksFailing: 'Webhooks have failed for an hour',
  need_destinationUsable: 'A destination can be used now',
  need_noPasskey: 'You have no passkey',
  need_onlyOneOwner: 'The account has only one owner',
  need_keyUnused: 'A key was not used for 90 days',
  need_newHand: 'Somebody is new to approving, or let in anew',
  proveSubject: 'Is this address yours?',
  proveText:
    'Somebody who signs in to Quittance says that this address is theirs. If that is you, open this link within a day, in the browser in which you are signed in:',
  newHandSubject: '{name} is new to approving in {account}',
  newHandText:
    '{name} ({email}) joined {account}, got a larger role there, was let in anew or added a passkey. From {from} on they can approve there, or ask for what others approve. If this is not right, remove them before that and refuse what waits:',
  credentialSubject: 'Something new opens your sign-in',
  credentialText:
    'This was added to your sign-in at {at}: {what}. If that was not you, remove it, change your password, and tell an owner of your account and the operator:',
  credential_passkey: 'a passkey',
  credential_password: 'a password',
  credential_app: 'an app with codes',
  credential_codes: 'printed codes',
};
