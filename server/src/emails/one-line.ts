/** What others wrote, so that it cannot begin a line of its own in a message or hide what stands beside it. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
