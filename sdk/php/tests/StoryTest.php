<?php

declare(strict_types=1);

namespace Quittance\Tests;

use InvalidArgumentException;
use PHPUnit\Framework\TestCase;
use Quittance\ChargeTotal;
use Quittance\CheckoutState;
use Quittance\Client;
use Quittance\Exception\ApiException;
use Quittance\Exception\AuthenticationException;
use Quittance\Exception\CannotBeDoneException;
use Quittance\Exception\ConnectionException;
use Quittance\Exception\InvalidRequestException;
use Quittance\Exception\NotFoundException;
use Quittance\Exception\TimeoutException;
use Quittance\Exception\UnavailableException;
use Quittance\Webhook;
use Quittance\WebhookProblem;

/** Against a real gateway, which `npm test -- php-and-ruby` starts: see sdk/test/sdk-world.ts. */
final class StoryTest extends TestCase
{
    private const SHIRT = ['charge' => [
        'billingCurrency' => 'USD',
        'lineItems' => [['description' => 'T-shirt “Größe L”', 'netAmount' => '20', 'quantity' => 3]],
    ]];

    protected function setUp(): void
    {
        if (getenv('QUITTANCE_URL') === false) {
            self::markTestSkipped('There is no gateway here: run `npm test -- php-and-ruby`.');
        }
    }

    public function testASignatureIsMadeWithTheClockOfTheService(): void
    {
        $client = self::client();
        $there = $client->time();
        self::assertGreaterThan(86_400, abs(time() - $there), 'the clock of the story is far from ours');
        $client->authTest();
        self::helper('/pass?minutes=10');
        $client->authTest();
        self::assertEqualsWithDelta($there + 600, $client->time(), 60);
    }

    public function testACheckoutIsPaidAndTheWebhookIsBelieved(): void
    {
        $client = self::client();
        $customerId = $client->customers->create(['email' => 'jürgen@example.com', 'firstname' => 'Jürgen']);
        self::assertSame('Jürgen', $client->customers->get($customerId)['firstname']);

        $order = self::SHIRT + ['webhook' => self::env('WEBHOOK_URL'), 'meta' => ['order' => '№ 17']];
        $order['charge']['customerId'] = $customerId;
        $created = $client->checkouts->create($order);
        self::assertContains('BITCOIN', array_column($created['paymentMethods'], 'network'));
        $choice = ['checkoutId' => $created['id'], 'network' => 'BITCOIN'];
        ['address' => $address, 'amount' => $amount] = $client->checkouts->commit($choice)['depositInstructions'];
        self::assertSame('0.001', $amount);
        self::assertFalse(CheckoutState::from($client->checkouts->get($created['id'])['state'])->isCredited());

        $paid = http_build_query(['address' => $address, 'amount' => $amount, 'checkoutId' => $created['id']]);
        ['webhooks' => [$sent], 'now' => $now] = self::helper("/pay?$paid");
        foreach ([['webhookSecret' => self::env('WEBHOOK_SECRET')], ['apiSecret' => self::env('SECRET')]] as $secrets) {
            $webhook = Webhook::read($sent['body'], $sent['headers'], ...$secrets, nowSeconds: $now);
            self::assertNull($webhook->problem);
            self::assertSame('CHECKOUT_COMPLETED', $webhook->event?->eventType);
            self::assertSame('№ 17', $webhook->event->data['checkout']['meta']['order']);
            self::assertSame($sent['headers']['webhook-id'], $webhook->id);
            $forged = Webhook::read($sent['body'] . ' ', $sent['headers'], ...$secrets, nowSeconds: $now);
            self::assertSame(WebhookProblem::WrongSignature, $forged->problem);
        }
        $checkout = $client->checkouts->get($created['id']);
        self::assertTrue(CheckoutState::from($checkout['state'])->isCredited());
        self::assertSame('0.001', $checkout['sourceAmountReceived']);
        self::assertSame('created', $client->checkouts->timeline($created['id'])[0]['what']);
        self::assertSame('0.000995', $client->wallets->get('BTC')['wallet']['available']);
        $client->wallets->entries()->take(1) ?: self::fail('the money was booked');

        $delivery = $client->webhookDeliveries->list(['checkoutId' => $created['id']])->take(1)[0];
        self::assertNotSame($delivery['id'], $client->webhookDeliveries->redeliver($delivery['id']));
    }

    public function testAListComesPageByPage(): void
    {
        $client = self::client();
        $made = [];
        for ($order = 0; $order < 5; $order++) {
            $made[] = $client->checkouts->createHosted(self::SHIRT)['id'];
        }
        $client->checkouts->cancel($made[0]);
        $list = $client->checkouts->list(['state' => [CheckoutState::Created, CheckoutState::Canceled], 'limit' => 2]);
        $found = array_column(iterator_to_array($list), 'id');
        self::assertSame([], array_diff($made, $found));
        self::assertSame($found, array_unique($found));
        self::assertCount(3, $list->take(3));
        $first = $list->page();
        self::assertCount(2, $first->items);
        self::assertSame($found[2], $list->page($first->next)->items[0]['id']);
        $later = ['from' => new \DateTimeImmutable('2100-01-01')];
        self::assertSame([], iterator_to_array($client->checkouts->list($later)));
    }

    public function testRefusalsSayAllThatIsWrong(): void
    {
        $client = self::client();
        try {
            $client->checkouts->createHosted(['charge' => ['lineItems' => [['netAmount' => 'a lot']]]]);
            self::fail('a charge without a currency was accepted');
        } catch (InvalidRequestException $refusal) {
            self::assertGreaterThan(1, count($refusal->sentences));
            self::assertSame(implode(' ', $refusal->sentences), $refusal->getMessage());
        }
        self::assertThrows(NotFoundException::class, fn () => $client->checkouts->get('abcdefghijkl'));
        $stranger = new Client(self::env('KEY'), 'aaaa-aaaa-aaaa-aaaa-aaaa-aaaa', self::env('URL'));
        self::assertThrows(AuthenticationException::class, fn () => $stranger->authTest());
    }

    public function testAnAnswerThatIsLostIsAskedForAgainAndNothingHappensTwice(): void
    {
        $lossy = self::client('LOSSY_URL', retryDelay: 0.01);
        $before = count(iterator_to_array($lossy->checkouts->list()));
        $id = $lossy->checkouts->createHosted(self::SHIRT)['id'];
        self::assertSame($id, $lossy->checkouts->get($id)['id']);
        self::assertCount($before + 1, iterator_to_array($lossy->checkouts->list()));

        $careless = self::client('LOSSY_URL', retries: 0);
        $order = fn (): array => $careless->checkouts->createHosted(self::SHIRT, 'order-18');
        self::assertThrows(ConnectionException::class, $order);
        $again = $order();
        self::assertCount($before + 2, iterator_to_array(self::client()->checkouts->list()));
        self::assertSame($again, $order());
        $other = ['meta' => ['another' => 'order']] + self::SHIRT;
        $call = fn (): array => $careless->checkouts->createHosted($other, 'order-18');
        self::assertThrows(CannotBeDoneException::class, $call);
    }

    public function testWhoIsToldToComeBackDoesUnlessThatIsFarAhead(): void
    {
        self::assertNotEmpty(self::client('BUSY_URL', retryDelay: 0.01)->checkouts->createHosted(self::SHIRT)['id']);
        self::assertSame(503, self::client('BUSY_URL', retries: 0)->get('/assets')->httpStatusCode);
        $closed = self::client('CLOSED_URL');
        $refusal = self::assertThrows(UnavailableException::class, fn () => $closed->networks());
        self::assertSame(['Not now.'], $refusal->sentences);
        self::assertSame([3600, true], [$refusal->retryAfterSeconds, $refusal->canRetry]);
    }

    public function testNobodyWaitsForEver(): void
    {
        $impatient = self::client('SILENT_URL', timeout: 0.1, retries: 1, retryDelay: 0.0);
        self::assertThrows(TimeoutException::class, fn () => $impatient->authTest());
        $response = $impatient->get('/auth-test');
        self::assertSame([0, CURLE_OPERATION_TIMEDOUT], [$response->httpStatusCode, $response->curlErrNo]);
    }

    public function testACertificateThatNobodyKnowsIsNotTrusted(): void
    {
        $client = self::client('UNTRUSTED_URL', retries: 5, retryDelay: 10.0);
        $error = self::assertThrows(ConnectionException::class, fn () => $client->authTest());
        self::assertStringContainsStringIgnoringCase('certificate', $error->getMessage());
        foreach (['http://pay.example/api/v1', 'pay.example', '/var/log/shop.log', 'ftp://pay.example'] as $url) {
            self::assertThrows(InvalidArgumentException::class, fn () => new Client('key', 'secret', $url));
        }
        new Client('key', 'secret', 'http://gateway:8080', allowPlainHttp: true);
    }

    public function testAmountsAreExact(): void
    {
        $client = self::client();
        $charge = ['billingCurrency' => 'BTC', 'lineItems' => [
            ['description' => 'As a text', 'netAmount' => '0.00000001', 'quantity' => '3'],
            ['description' => 'As numbers', 'netAmount' => 0.1, 'quantity' => 3],
        ]];
        ini_set('serialize_precision', '17');
        self::assertSame('0.30000003', $client->checkouts->total($charge)['total']);
        self::assertSame('0.30000003', ChargeTotal::of($charge));
        self::assertThrows(InvalidArgumentException::class, fn () => $client->checkouts->total(['lineItems' => [NAN]]));
    }

    public function testProgramsOfAnEarlierClientRun(): void
    {
        $logFile = (string) tempnam(sys_get_temp_dir(), 'log');
        $client = new Client(self::env('KEY'), self::env('SECRET'), self::env('URL'), $logFile);
        $response = $client->post('/customer', array('customer' => array(
            'email' => 'john@doe.com',
            'firstname' => 'John',
            'meta' => array(),
        )));
        self::assertSame(200, $response->httpStatusCode);
        $data = json_decode($response->responseBody, true);
        $response = $client->post('/checkout/hosted', array(
            'charge' => array(
                'customerId' => $data['customerId'],
                'currency' => 'USD',
                'lineItems' => array(array('description' => 'T-Shirt', 'netAmount' => 10, 'quantity' => 1)),
                'discountItems' => array(array('description' => 'Loyalty Discount', 'netAmount' => '0.5')),
                'shippingCostItems' => array(array('description' => 'Post', 'netAmount' => '3.99', 'taxable' => false)),
                'taxItems' => array(array('name' => 'CA Sales Tax', 'percent' => '0.0825')),
            ),
            'settlementCurrency' => null,
        ));
        self::assertSame(200, $response->httpStatusCode, (string) $response->responseBody);
        $checkoutId = json_decode($response->responseBody, true)['checkoutId'];
        $response = $client->get('/checkout', array('id' => $checkoutId));
        self::assertSame('CREATED', json_decode($response->responseBody, true)['checkout']['state']);
        self::assertStringContainsString('application/json', (string) $response->responseHeaders);
        self::assertSame(['', 0], [$response->curlError, $response->curlErrNo]);
        self::assertSame(200, $client->get('/customers', array('limit' => 250))->httpStatusCode);
        self::assertSame(200, $client->get("/checkout?id=$checkoutId")->httpStatusCode);
        $change = array('customer' => array('id' => $data['customerId'], 'email' => 'new@email-address.com'));
        self::assertSame(200, $client->put('/customer', $change)->httpStatusCode);
        $response = $client->delete('/customer', array('id' => $data['customerId']));
        self::assertSame(200, $response->httpStatusCode);
        $response = $client->post('/checkout/hosted');
        self::assertSame(400, $response->httpStatusCode);
        self::assertNotEmpty(json_decode($response->responseBody, true)['errors'][0]);

        $log = (string) file_get_contents($logFile);
        unlink($logFile);
        self::assertMatchesRegularExpression('~ POST /checkout/hosted 400 charge is missing~', $log);
        self::assertStringNotContainsString(self::env('SECRET'), $log . print_r($client, true));
        self::assertStringNotContainsString('john@doe.com', $log);
    }

    public function testAFileIsFetched(): void
    {
        $client = self::client();
        $client->checkouts->createHosted(self::SHIRT);
        $export = $client->reports->createExport(['list' => 'checkouts', 'format' => 'csv']);
        self::helper('/work');
        self::assertSame('READY', $client->reports->export($export['id'])['state']);
        $file = $client->reports->exportFile($export['id']);
        self::assertStringEndsWith('.csv', (string) $file->fileName);
        self::assertStringContainsString('csv', (string) $file->contentType);
        self::assertGreaterThan(1, substr_count((string) stream_get_contents($file->body), "\n"));
        $client->reports->deleteExport($export['id']);
        self::assertThrows(NotFoundException::class, fn () => $client->reports->exportFile('abcdefghijkl'));
    }

    /** The test that starts this one looks whether every endpoint was asked. */
    public function testEveryEndpointHasAMethod(): void
    {
        $client = self::client();
        foreach (['networks', 'assets', 'currencies', 'languages'] as $catalogue) {
            self::assertNotEmpty($client->$catalogue());
        }
        $client->settings();
        $client->status();
        $client->health();
        self::helper('/work'); // Days are counted before they are reported.
        self::assertSame([], iterator_to_array($client->reports->checkouts('2026-02')));
        self::assertSame([], iterator_to_array($client->reports->disposals('2026-02')));
        foreach (['statement', 'tax', 'fees'] as $report) {
            self::assertNotEmpty($client->reports->$report('2026-02'));
        }
        $beneficiaryId = $client->beneficiaries->create(['company' => 'Somebody']);
        $client->beneficiaries->change(['id' => $beneficiaryId, 'company' => 'Somebody else']);
        self::assertSame('Somebody else', $client->beneficiaries->get($beneficiaryId)['company']);
        self::assertCount(1, iterator_to_array($client->beneficiaries->list()));
        $client->beneficiaries->delete($beneficiaryId);
        $customerId = $client->customers->create(['email' => 'a@b.example']);
        $client->customers->change(['id' => $customerId, 'city' => 'Łódź']);
        self::assertSame('Łódź', $client->customers->list(['email' => 'a@b.example'])->take(1)[0]['city']);
        $client->customers->delete($customerId);
        self::assertSame([], $client->papers->list(['search' => 'nothing'])->take(1));
        $link = $client->paymentLinks->create(['description' => 'Order', 'currency' => 'USD', 'signedOnly' => true]);
        self::assertSame(64, strlen($client->paymentLinks->secret($link['id'])));
        self::assertSame($link['id'], $client->paymentLinks->list()->take(1)[0]['id']);
        self::assertSame([], $client->paymentLinks->checkouts($link['id'])->take(1));
        $client->paymentLinks->close($link['id']);
        self::assertSame('CLOSED', $client->paymentLinks->get($link['id'])['state']);
        $deposit = $client->deposits->create(['network' => 'BITCOIN', 'amount' => '0.01']);
        self::assertSame($deposit['id'], $client->deposits->list()->take(1)[0]['id']);
        self::assertSame($deposit['id'], $client->deposits->get($deposit['id'])['id']);
        $client->deposits->close($deposit['id']);
        self::assertArrayHasKey('totalValue', $client->wallets->list());
        foreach (['refunds', 'swaps', 'transfers', 'targetAccounts'] as $listed) {
            self::assertSame([], iterator_to_array($client->$listed->list()));
        }
        $nobody = 'abcdefghijkl';
        foreach ([
            fn () => $client->checkouts->acceptUnderpayment($nobody),
            fn () => $client->checkouts->acceptExcess($nobody),
            fn () => $client->papers->get($nobody),
            fn () => $client->papers->credit(['paperId' => $nobody]),
            fn () => $client->papers->sendAgain($nobody),
            fn () => $client->refunds->create(['checkoutId' => $nobody]),
            fn () => $client->refunds->approve($nobody),
            fn () => $client->refunds->cancel($nobody),
            fn () => $client->refunds->get($nobody),
            fn () => $client->swaps->quote(['sourceAsset' => 'BTC', 'targetAsset' => 'NONE', 'sourceAmount' => '1']),
            fn () => $client->swaps->create(['quoteId' => $nobody]),
            fn () => $client->swaps->get($nobody),
            fn () => $client->transfers->estimate(['network' => 'BITCOIN', 'asset' => 'BTC', 'amount' => '0']),
            fn () => $client->transfers->create(['network' => 'BITCOIN', 'asset' => 'BTC', 'amount' => '0']),
            fn () => $client->transfers->approve($nobody),
            fn () => $client->transfers->cancel($nobody),
            fn () => $client->transfers->get($nobody),
            fn () => $client->targetAccounts->create(['label' => 'Cold storage']),
            fn () => $client->targetAccounts->change(['id' => $nobody, 'label' => 'Warm storage']),
            fn () => $client->targetAccounts->get(['label' => 'nowhere']),
            fn () => $client->targetAccounts->delete(['id' => $nobody]),
        ] as $call) {
            self::assertThrows(ApiException::class, $call);
        }
    }

    private static function client(string $url = 'URL', mixed ...$options): Client
    {
        return new Client(self::env('KEY'), self::env('SECRET'), self::env($url), null, ...$options);
    }

    private static function env(string $name): string
    {
        return (string) getenv("QUITTANCE_$name");
    }

    /** @return array<string, mixed> */
    private static function helper(string $wish): array
    {
        $answer = file_get_contents(self::env('HELPER_URL') . $wish);
        return json_decode((string) $answer, true, 512, JSON_THROW_ON_ERROR);
    }

    /**
     * @template T of \Throwable
     * @param class-string<T> $class
     * @return T
     */
    private static function assertThrows(string $class, callable $call): \Throwable
    {
        try {
            $call();
        } catch (\Throwable $thrown) {
            self::assertInstanceOf($class, $thrown, (string) $thrown);
            return $thrown;
        }
        self::fail("nothing was thrown, but $class was expected");
    }
}
