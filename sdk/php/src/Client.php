<?php

declare(strict_types=1);

namespace Quittance;

use InvalidArgumentException;
use Quittance\Internal\Api;
use Quittance\Internal\BaseUrl;
use Quittance\Internal\Connection;
use Quittance\Internal\Line;
use Quittance\Resource\Beneficiaries;
use Quittance\Resource\Checkouts;
use Quittance\Resource\Customers;
use Quittance\Resource\Deposits;
use Quittance\Resource\Papers;
use Quittance\Resource\PaymentLinks;
use Quittance\Resource\Refunds;
use Quittance\Resource\Reports;
use Quittance\Resource\Swaps;
use Quittance\Resource\TargetAccounts;
use Quittance\Resource\Transfers;
use Quittance\Resource\Wallets;
use Quittance\Resource\WebhookDeliveries;

/**
 * The API, in the words of a shop. Beside it `get`, `post`, `put` and `delete`, as programs call that used an earlier
 * client.
 *
 * Methods give what the API reference says, as arrays, with amounts as decimal strings; they throw a
 * `QuittanceException` when that is not possible. What changes something takes an idempotency key: sent again with the
 * same one, also by another process, it is done once, for a day. One that nobody else has is made up otherwise.
 */
final class Client
{
    public const VERSION = '0.1.0';

    public readonly Checkouts $checkouts;
    public readonly PaymentLinks $paymentLinks;
    public readonly Papers $papers;
    public readonly Refunds $refunds;
    public readonly Customers $customers;
    public readonly Deposits $deposits;
    public readonly Wallets $wallets;
    public readonly Swaps $swaps;
    public readonly Transfers $transfers;
    public readonly TargetAccounts $targetAccounts;
    public readonly Beneficiaries $beneficiaries;
    public readonly Reports $reports;
    public readonly WebhookDeliveries $webhookDeliveries;
    private readonly Connection $connection;
    private readonly Api $api;

    /**
     * @param string $baseUrl ends in /api/v1; where it has no path, that is meant
     * @param string|null $logFile gets a line for every request; neither secrets nor what is in requests
     * @param float $timeout how many seconds one attempt may take
     * @param float $connectTimeout how many of them may go by until somebody is there
     * @param int $retries how often a request is sent again when only the moment was wrong
     * @param float $retryDelay the seconds before the first repetition, doubled each time
     * @param bool $allowPlainHttp unencrypted HTTP to another machine; only where nobody else can listen
     */
    public function __construct(
        string $key,
        #[\SensitiveParameter] string $secret,
        string $baseUrl,
        ?string $logFile = null,
        float $timeout = 30.0,
        float $connectTimeout = 10.0,
        int $retries = 2,
        float $retryDelay = 0.5,
        bool $allowPlainHttp = false,
    ) {
        foreach (['key' => $key, 'secret' => $secret] as $name => $value) {
            if (preg_match('/^[\x21-\x7e]+$/D', $value) !== 1) {
                throw new InvalidArgumentException("A client needs a $name: new Client(\$key, \$secret, \$baseUrl).");
            }
        }
        // Asked in this way, because nothing is true of NAN.
        if (!($timeout > 0 && $connectTimeout > 0 && $retries >= 0 && $retryDelay >= 0)) {
            throw new InvalidArgumentException('Time limits are more than 0 seconds; retries are not less than 0.');
        }
        $url = BaseUrl::read($baseUrl, $allowPlainHttp);
        $line = new Line($url, 'quittance-php/' . self::VERSION, $timeout, $connectTimeout);
        $this->connection = new Connection($key, $secret, $line, $retries, $retryDelay, $logFile);
        $this->api = new Api($this->connection);
        $this->checkouts = new Checkouts($this->api);
        $this->paymentLinks = new PaymentLinks($this->api);
        $this->papers = new Papers($this->api);
        $this->refunds = new Refunds($this->api);
        $this->customers = new Customers($this->api);
        $this->deposits = new Deposits($this->api);
        $this->wallets = new Wallets($this->api);
        $this->swaps = new Swaps($this->api);
        $this->transfers = new Transfers($this->api);
        $this->targetAccounts = new TargetAccounts($this->api);
        $this->beneficiaries = new Beneficiaries($this->api);
        $this->reports = new Reports($this->api);
        $this->webhookDeliveries = new WebhookDeliveries($this->api);
    }

    /** Throws an `AuthenticationException` when key and secret are not good. */
    public function authTest(): void
    {
        $this->api->call('GET', '/auth-test');
    }

    /** The time of the service in Unix seconds. Requests are signed with it without being asked to. */
    public function time(): int
    {
        return $this->api->call('GET', '/time')['time'];
    }

    /** @return list<array<string, mixed>> */
    public function networks(): array
    {
        return $this->api->call('GET', '/networks')['networks'];
    }

    /** @return list<array<string, mixed>> */
    public function assets(): array
    {
        return $this->api->call('GET', '/assets')['assets'];
    }

    /** @return list<array<string, mixed>> */
    public function currencies(): array
    {
        return $this->api->call('GET', '/currencies')['currencies'];
    }

    /** @return list<array{languageCode: string, name: string}> */
    public function languages(): array
    {
        return $this->api->call('GET', '/languages')['languages'];
    }

    /** @return array<string, mixed> */
    public function settings(): array
    {
        return $this->api->call('GET', '/settings')['settings'];
    }

    /**
     * Whether all parts of the service are well.
     *
     * @return array<string, mixed>
     */
    public function status(): array
    {
        return $this->api->call('GET', '/status');
    }

    /** Whether the process that answers can serve; throws an `UnavailableException` when it cannot. */
    public function health(): void
    {
        $this->api->call('GET', '/health');
    }

    /**
     * Any endpoint. Never throws because of what the service or the network does: look at `httpStatusCode`, which is
     * 200, a failure, or 0 when there was no answer.
     *
     * @param array<array-key, mixed> $params the query
     */
    public function get(string $endpoint, array $params = []): Response
    {
        return $this->connection->request('GET', $endpoint, $params);
    }

    /** @param array<array-key, mixed> $params the body */
    public function post(string $endpoint, array $params = [], ?string $idempotencyKey = null): Response
    {
        return $this->connection->request('POST', $endpoint, $params, $idempotencyKey);
    }

    /** @param array<array-key, mixed> $params the body */
    public function put(string $endpoint, array $params = [], ?string $idempotencyKey = null): Response
    {
        return $this->connection->request('PUT', $endpoint, $params, $idempotencyKey);
    }

    /** @param array<array-key, mixed> $params the body */
    public function delete(string $endpoint, array $params = [], ?string $idempotencyKey = null): Response
    {
        return $this->connection->request('DELETE', $endpoint, $params, $idempotencyKey);
    }
}
