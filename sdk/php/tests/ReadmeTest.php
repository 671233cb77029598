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

    /** @return list<string> */
    private static function examples(): array
    {
        preg_match_all('/^```php\n(.*?)^```$/ms', (string) file_get_contents(dirname(__DIR__) . '/README.md'), $found);
        return $found[1];
    }
}
