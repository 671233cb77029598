/**
 * Refuses what cannot be an e-mail address, and with it everything that would end a line of a message's head. Whether
 * the address exists, only its mail server knows.
 */
export const isEmailAddress = (text: string): boolean =>
  /^[^\s@,;<>"\p{Cc}]{1,64}@[^\s@,;<>"\p{Cc}]{1,189}\.[^\s@,;<>".\p{Cc}]{2,63}$/u.test(text) && text.isWellFormed();
