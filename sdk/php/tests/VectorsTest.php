<?php

declare(strict_types=1);

namespace Quittance\Tests;

use PHPUnit\Framework\TestCase;
use Quittance\ChargeTotal;
use Quittance\Exception\ApiException;
use Quittance\Exception\EndlessListException;
use Quittance\Internal\Retry;
use Quittance\Internal\Signature;
use Quittance\Page;
use Quittance\PaymentLink;
use Quittance\RecordList;
use Quittance\Response;
use Quittance\Webhook;

/** What all SDKs and the server agree on: sdk/vectors. */
final class VectorsTest extends TestCase
{
    public function testRequestsAreSigned(): void
    {
        ['secret' => $secret, 'timestamp' => $timestamp, 'clients' => $requests] = self::vectors('digest');
        foreach ($requests as $each) {
            $path = $each['path'] . $each['query'];
            $signature = Signature::digest($secret, $path, $timestamp, $each['method'], $each['body']);
            self::assertSame($each['signature'], $signature, $each['name']);
        }
    }

    public function testAmountsOfPaymentLinksAreSigned(): void
    {
        foreach (self::vectors('payment-links')['signatures'] as $each) {
            $url = "https://pay.example.com/en/checkout/pay/{$each['linkId']}";
            $signed = PaymentLink::sign($url, $each['secret'], $each['amount'], $each['reference']);
            parse_str((string) parse_url($signed, PHP_URL_QUERY), $query);
            $expected = array_intersect_key($each, ['amount' => 1, 'reference' => 1, 'signature' => 1]);
            self::assertSame($expected, $query, $each['name']);
        }
    }

    public function testWebhooksAreJudged(): void
    {
        ['received' => $received, 'toleranceSeconds' => $tolerance] = self::vectors('webhooks');
        foreach ($received as $each) {
            $webhook = Webhook::read(
                $each['body'] ?? base64_decode($each['bodyBase64'], true),
                $each['headers'],
                webhookSecret: $each['webhookSecrets'],
                apiSecret: $each['apiSecrets'],
                toleranceSeconds: $tolerance,
                nowSeconds: $each['now'],
            );
            $expected = [$each['isGenuine'], $each['eventType'] ?? null, $each['problem'] ?? null];
            $found = [$webhook->isGenuine, $webhook->event?->eventType, $webhook->problem?->value];
            self::assertSame($expected, $found, $each['name']);
        }
    }

    public function testHeadersAreReadAsPhpWritesThem(): void
    {
        foreach (self::vectors('webhooks')['received'] as $each) {
            if (!$each['isGenuine']) {
                continue;
            }
            foreach (self::waysOfPhp($each['headers']) as $way => $headers) {
                $webhook = Webhook::read(
                    $each['body'],
                    $headers,
                    $each['webhookSecrets'],
                    $each['apiSecrets'],
                    nowSeconds: $each['now'],
                );
                self::assertNull($webhook->problem, "{$each['name']}, as $way");
            }
        }
    }

    public function testListsEndOrSayThatTheyDoNot(): void
    {
        ['problem' => $problem, 'lists' => $lists] = self::vectors('lists');
        foreach ($lists as ['name' => $name, 'pages' => $pages, 'items' => $items, 'isEndless' => $isEndless]) {
            $byCursor = array_column($pages, null, 'cursor');
            $list = new RecordList(static fn (?string $cursor): Page =>
                new Page($byCursor[$cursor ?? '']['items'], $byCursor[$cursor ?? '']['next']));
            $found = [];
            $said = null;
            try {
                foreach ($list as $item) {
                    $found[] = $item;
                }
            } catch (EndlessListException $endless) {
                $said = $endless->getMessage();
            }
            self::assertSame([$items, $isEndless ? $problem : null], [$found, $said], $name);
        }
    }

    /**
     * @param array<string, string> $headers
     * @return array<string, array<string, mixed>>
     */
    private static function waysOfPhp(array $headers): array
    {
        $server = ['REQUEST_METHOD' => 'POST', 'argc' => 0, 'argv' => []];
        foreach ($headers as $name => $value) {
            $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
        }
        return ['$_SERVER' => $server, 'PSR-7' => array_map(static fn (string $value): array => [$value], $headers)];
    }

    public function testNothingThatArrivesMakesReadingThrow(): void
    {
        $deep = str_repeat('[', 10_000);
        $strange = [null, 1, 'x', [], [null], [[1, 2]], [1 => 2], ['x-webhook-auth' => null], new \stdClass()];
        foreach ([null, 1, [], new \stdClass(), '', "\xff\0", $deep, '{"\u0000":1}'] as $body) {
            $signed = ['X-Webhook-Auth' => hash('sha256', 'a' . (is_string($body) ? $body : ''))];
            foreach ([...$strange, $signed] as $headers) {
                self::assertFalse(Webhook::read($body, $headers, apiSecret: 'a')->isGenuine);
                self::assertFalse(Webhook::read($body, $headers, webhookSecret: 'whsec_YQ==')->isGenuine);
                self::assertFalse(Webhook::read($body, $headers)->isGenuine);
            }
        }
    }

    public function testAnswersBecomeExceptions(): void
    {
        foreach (self::vectors('errors')['errors'] as $each) {
            $lines = ["HTTP/1.1 {$each['status']} Whatever"];
            foreach ($each['headers'] as $name => $value) {
                $lines[] = "$name: $value";
            }
            $response = new Response($each['body'], implode("\r\n", $lines), $each['status']);
            $exception = ApiException::of($response);
            self::assertSame("Quittance\\Exception\\{$each['class']}Exception", $exception::class, $each['name']);
            self::assertSame($each['sentences'], $exception->sentences, $each['name']);
            self::assertSame(implode(' ', $each['sentences']), $exception->getMessage(), $each['name']);
            self::assertSame($each['status'], $exception->status, $each['name']);
            self::assertSame($each['retryAfterSeconds'], $exception->retryAfterSeconds, $each['name']);
            self::assertSame($each['canRetry'], $exception->canRetry, $each['name']);
            self::assertSame($each['isClock'], Retry::isAboutTheClock($response), $each['name']);
        }
    }

    public function testChargesAreTotalled(): void
    {
        foreach (self::vectors('totals')['totals'] as $each) {
            self::assertSame($each['total'], ChargeTotal::of($each['charge']), $each['name']);
        }
    }

    /** @return array<string, mixed> */
    private static function vectors(string $name): array
    {
        $text = (string) file_get_contents(dirname(__DIR__, 2) . "/vectors/$name.json");
        return json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    }
}
