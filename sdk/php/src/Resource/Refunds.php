<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Internal\Api;
use Quittance\RecordList;

/** Money that goes back to customers. */
final class Refunds
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * All of a checkout or a part of it. Without an address the reply has the link where the customer enters one.
     *
     * @param array<string, mixed> $refund `checkoutId`; `amount`, `address` and more
     * @return array{refund: array<string, mixed>, claimUrl: ?string, ...}
     */
    public function create(array $refund, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/refund', $refund, $idempotencyKey);
    }

    /**
     * By another API key than the one that asked for it.
     *
     * @return array{refund: array<string, mixed>, claimUrl: ?string, ...}
     */
    public function approve(string $id, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/refund/approve', ['id' => $id], $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function cancel(string $id, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/refund/cancel', ['id' => $id], $idempotencyKey)['refund'];
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->api->call('GET', '/refund', ['id' => $id])['refund'];
    }

    /**
     * Newest first; of one checkout oldest first.
     *
     * @param array<string, mixed> $filter the filters of `GET /refunds`; lists of states are allowed
     */
    public function list(array $filter = []): RecordList
    {
        return $this->api->list('/refunds', $filter, 'refunds');
    }
}
