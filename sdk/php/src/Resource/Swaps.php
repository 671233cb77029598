<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Internal\Api;
use Quittance\RecordList;

/** One asset for another. */
final class Swaps
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * A price that holds for a minute, and for one swap.
     *
     * @param array<string, mixed> $question `sourceAsset`, `targetAsset`, and `sourceAmount` or `targetAmount`
     * @return array<string, mixed>
     */
    public function quote(array $question): array
    {
        return $this->api->call('GET', '/swap/quote', $question);
    }

    /**
     * At the price of a quote (`quoteId`), or at once.
     *
     * @param array<string, mixed> $swap `quoteId`, or what a question for a quote has
     * @return array<string, mixed>
     */
    public function create(array $swap, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/swap', $swap, $idempotencyKey)['swap'];
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->api->call('GET', '/swap', ['id' => $id])['swap'];
    }

    /**
     * Newest first.
     *
     * @param array<string, mixed> $filter the filters of `GET /swaps`; lists of states are allowed
     */
    public function list(array $filter = []): RecordList
    {
        return $this->api->list('/swaps', $filter, 'swaps');
    }
}
