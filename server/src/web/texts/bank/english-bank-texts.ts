/**
 * What the payment page says in other words where somebody pays by bank, and of places that are kept for them. What fields are
 * called, and how long a transfer takes, each network says itself: `networks/families/bank/bank-payer-texts`.
 */
export const englishBankTexts = {
  feeNoneBank: 'None from us; your bank may charge for the transfer.',
  newHereBank: 'From your bank:',
  bankOverText: 'Nothing is lost, and your order is still there: you can pay it after all.',
  bankSentText:
    'A transfer that is on its way is not lost and still counts in full: do not send it again. We are watching, and this page changes by itself.',
  bankProcessingText:
    'It counts as soon as the bank of the shop has booked it. You need not wait here: you can close this page.',
  bankSeesNothingText:
    'Your transfer shows here as soon as the bank of the shop has booked it. {usually} If it is still missing then, give the shop the order code, and the day and the reference of your transfer.',
  sentToAccount: 'Sent to this account',
  backToAccount: 'We can send it back to the account that it came from.',
  sendItBack: 'Send it back',
  backToAccountOnItsWay: 'It is being sent back to the account that it came from. That can take some banking days.',
  backToAccountAtShop: 'The shop has to agree first. Then it goes back to the account that it came from.',
  refundOrdered: 'Refund ordered',
  refundOrderedTitle: 'A refund of {amount} was ordered',
  refundsOfPaidText: 'Your order is paid. What goes back to you stands here.',
  toThisAccount: 'To this account',
  refundOrderedOn: 'Ordered on {date}, and not there yet. {takes}',
  refundMayFail:
    'If a bank does not carry it out, the shop learns of it and can send it again. Ask the shop if it takes longer.',
  placeKept:
    'A place is kept for you until {date}. If your payment arrives later, and others have taken all places by then, the shop decides whether it can still deliver or sends your money back.',
  placeGoneText:
    'Your payment has not arrived in the time for which your place was kept, and others have taken it. Please send nothing now. If your transfer is on its way, nothing is lost: the shop decides whether it can still deliver or sends your money back.',
};
