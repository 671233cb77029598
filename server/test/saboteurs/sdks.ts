/** What the SDKs for PHP and Ruby must not do. */
import type { Saboteur } from './saboteur.ts';

const noticedBy = 'sdk/test/php-and-ruby.test.ts';
const php = (file: string) => ({ file: `../../sdk/php/src/${file}.php`, noticedBy, test: 'PHP' });
const ruby = (file: string) => ({ file: `../../sdk/ruby/lib/quittance/${file}.rb`, noticedBy, test: 'Ruby' });

export const saboteurs: readonly Saboteur[] = [
  {
    ...php('Internal/Line'),
    fault: 'a certificate that nobody knows is trusted',
    find: 'CURLOPT_SSL_VERIFYPEER => true',
    replace: 'CURLOPT_SSL_VERIFYPEER => false',
  },
  {
    ...ruby('line'),
    fault: 'a certificate that nobody knows is trusted',
    find: 'OpenSSL::SSL::VERIFY_PEER',
    replace: 'OpenSSL::SSL::VERIFY_NONE',
  },
  {
    ...php('Internal/Line'),
    fault: 'half an answer is taken for an answer',
    find: 'if ($failure !== 0) {',
    replace: "if ($failure !== 0 && $head === '') {",
  },
  {
    ...ruby('line'),
    fault: 'half an answer is taken for an answer',
    find: 'size < (head.content_length || 0)',
    replace: 'size.negative?',
  },
  {
    ...php('Internal/Connection'),
    fault: 'a key that was given is not used',
    find: '$idempotencyKey ?? bin2hex',
    replace: 'bin2hex',
  },
  {
    ...ruby('connection'),
    fault: 'a repetition has a key of its own',
    find: 'until_answered { send_signed(method, path, headers, body, nil) }',
    replace:
      "until_answered { send_signed(method, path, headers.merge('Idempotency-Key' => SecureRandom.uuid), body, nil) }",
  },
  {
    ...php('Internal/Connection'),
    fault: 'the clock of the service is asked for only once',
    find: '$this->clock->forget();',
    replace: '',
  },
  {
    ...ruby('connection'),
    fault: 'the clock of the service is asked for only once',
    find: '@clock.forget',
    replace: '',
  },
  {
    ...php('Internal/Retry'),
    fault: 'who is told to come back does not',
    find: 'private const SECONDS_MAX = 30.0;',
    replace: 'private const SECONDS_MAX = 0.0;',
  },
  {
    ...php('Webhook'),
    fault: 'the time of a webhook is not checked',
    find: 'abs($now - (int) $timestamp) > $toleranceSeconds',
    replace: 'abs($now - (int) $timestamp) > PHP_INT_MAX',
  },
  {
    ...ruby('webhook'),
    fault: 'anybody can sign for who has an empty secret',
    find: '.reject(&:empty?)\n',
    replace: '\n',
  },
  {
    ...ruby('connection'),
    fault: 'the secret is shown to whoever looks at a client',
    find: '"#<#{self.class} #{@key}>"',
    replace: 'super',
  },
];
