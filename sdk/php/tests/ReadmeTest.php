<?php

declare(strict_types=1);

namespace Quittance\Tests;

use PHPUnit\Framework\TestCase;

/** What README.md shows works. */
final class ReadmeTest extends TestCase
{
    public function testEveryExampleCanBeRead(): void
    {
        foreach (self::examples() as $code) {
            self::assertNotEmpty(token_get_all("<?php\n$code", TOKEN_PARSE));
        }
    }

    public function testTheFirstExampleMakesACheckout(): void
    {
        if (getenv('QUITTANCE_URL') === false) {
            self::markTestSkipped('There is no gateway here: run `npm test -- php-and-ruby`.');
        }
        $code = strtr(self::examples()[0], [
            'YOUR-KEY' => (string) getenv('QUITTANCE_KEY'),
            'YOUR-SECRET' => (string) getenv('QUITTANCE_SECRET'),
            'https://pay.example/api/v1' => (string) getenv('QUITTANCE_URL'),
            "header('Location: ' . \$checkout['url']);" => 'return $checkout[\'url\'];',
        ]);
        self::assertStringStartsWith('https://pay.test/', eval($code));
    }

    public function testTheReceiverBelievesWhatIsGenuineAndAnswers401ToTheRest(): void
    {
        $secret = 'whsec_' . base64_encode('a secret of twenty-four bytes');
        $body = '{"eventType":"CHECKOUT_COMPLETED","data":{"checkout":{"meta":{"order":"4711"}}}}';
        $time = (string) time();
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $signature = 'v1,' . base64_encode(hash_hmac('sha256', "evt.$time.$body", $key, true));
        $headers = ['webhook-id' => 'evt', 'webhook-timestamp' => $time, 'webhook-signature' => $signature];
        self::assertSame('shipped 4711, 200', self::answerOfTheReceiver($secret, $body, $headers));
        self::assertSame('401', self::answerOfTheReceiver($secret, "$body ", $headers));
        self::assertSame('401', self::answerOfTheReceiver($secret, '', []));
    }

    /** @param array<string, string> $headers */
    private static function answerOfTheReceiver(string $secret, string $body, array $headers): string
    {
        $code = strtr(self::examples()[1], [
            'whsec_…' => $secret,
            "file_get_contents('php://input')" => var_export($body, true),
            'getallheaders()' => var_export($headers, true),
        ]);
        $before = 'require ' . var_export(__DIR__ . '/bootstrap.php', true) . ';' . <<<'PHP'
            ini_set('error_log', '/dev/null');
            register_shutdown_function(fn () => print(http_response_code() ?: 200));
            function ship(string $order): void { echo "shipped $order, "; }
        PHP;
        // In a process of its own, because it may exit; imports come first.
        $program = preg_replace('/^use .+;$/m', "$0\n$before", $code, 1);
        return (string) shell_exec(escapeshellarg(PHP_BINARY) . ' -r ' . escapeshellarg($program));
    }

    /** @return list<string> */
    private static function examples(): array
    {
        preg_match_all('/^```php\n(.*?)^```$/ms', (string) file_get_contents(dirname(__DIR__) . '/README.md'), $found);
        return $found[1];
    }
}
