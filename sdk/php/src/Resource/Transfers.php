<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Internal\Api;
use Quittance\RecordList;

/** Money that leaves an account. */
final class Transfers
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * What a transfer would cost now, and whether it would have to wait.
     *
     * @param array<string, mixed> $question as for `create`
     * @return array<string, mixed>
     */
    public function estimate(array $question): array
    {
        return $this->api->call('GET', '/transfer/estimate', $question);
    }

    /**
     * Sends money. Give an idempotency key of your own, such as the number of the payout in your books: then it is sent
     * once, even if your program dies and asks again.
     *
     * @param array<string, mixed> $transfer `amount`, `asset`, `network`, and `targetAccount` or `address`
     * @return array{id: string, transfer: array<string, mixed>, ...}
     */
    public function create(array $transfer, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/transfer', $transfer, $idempotencyKey);
    }

    /**
     * By another API key than the one that asked for it.
     *
     * @return array<string, mixed>
     */
    public function approve(string $id, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/transfer/approve', ['id' => $id], $idempotencyKey)['transfer'];
    }

    /** @return array<string, mixed> */
    public function cancel(string $id, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/transfer/cancel', ['id' => $id], $idempotencyKey)['transfer'];
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->api->call('GET', '/transfer', ['id' => $id])['transfer'];
    }

    /**
     * Newest first.
     *
     * @param array<string, mixed> $filter the filters of `GET /transfers`; lists of states are allowed
     */
    public function list(array $filter = []): RecordList
    {
        return $this->api->list('/transfers', $filter, 'transfers');
    }
}
