<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Internal\Api;
use Quittance\RecordList;

/** What can be paid many times. `Quittance\PaymentLink::sign` makes addresses with an amount, without a request. */
final class PaymentLinks
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * Its `url` can be shared, printed and put on a page; it is never changed, only closed.
     *
     * @param array<string, mixed> $link `description`, `currency`, and `amount` unless the payer says
     * @return array{id: string, url: string, ...}
     */
    public function create(array $link, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/payment-link', $link, $idempotencyKey)['paymentLink'];
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->api->call('GET', '/payment-link', ['id' => $id])['paymentLink'];
    }

    /** What amounts are signed with, for a link with `signedOnly`. */
    public function secret(string $id): string
    {
        return $this->api->call('GET', '/payment-link/secret', ['id' => $id])['secret'];
    }

    /** @return array<string, mixed> */
    public function close(string $id, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/payment-link/close', ['id' => $id], $idempotencyKey)['paymentLink'];
    }

    /**
     * Newest first.
     *
     * @param array<string, mixed> $filter the filters of `GET /payment-links`
     */
    public function list(array $filter = []): RecordList
    {
        return $this->api->list('/payment-links', $filter, 'paymentLinks');
    }

    /**
     * Those that were begun from the link, newest first, paid or not.
     *
     * @param array<string, mixed> $filter
     */
    public function checkouts(string $id, array $filter = []): RecordList
    {
        return $this->api->list('/payment-link/checkouts', ['id' => $id] + $filter, 'checkouts');
    }
}
