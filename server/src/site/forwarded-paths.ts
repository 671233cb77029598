/**
 * What may be asked for through a merchant's own domain. Existing containers forward only these paths, so every address
 * on a payment page must be one of them; and with a branding key we answer no others.
 */
const pages =
  /^\/[a-z]{2}(-[A-Za-z0-9]{2,8})*\/(checkout\/[a-z0-9]+(\/.*)?|checkout-invalid|(invoice|cancel-hosted-checkout|return-from-hosted-checkout)\/[a-z0-9]+)\/?$/;
const files = /^\/(ajax\/|websocket|css\/|js\/|images\/|manifest\.json$)|\.(ico|png|gif)$/;
const questions = /^\/api\/v1\/(health|status)\/brand-connect$/;

export const isForwarded = (path: string): boolean => [pages, files, questions].some((form) => form.test(path));
