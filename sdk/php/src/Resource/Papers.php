<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Internal\Api;
use Quittance\RecordList;

/** Receipts, invoices and credit notes, as they were issued. */
final class Papers
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->api->call('GET', '/paper', ['id' => $id])['paper'];
    }

    /**
     * Newest first.
     *
     * @param array<string, mixed> $filter the filters of `GET /papers`
     */
    public function list(array $filter = []): RecordList
    {
        return $this->api->list('/papers', $filter, 'papers');
    }

    /**
     * It moves no money: what is refunded gets a credit note by itself.
     *
     * @param array<string, mixed> $note `paperId`, and `amount` unless all of it
     * @return array{id: string, number: string, ...}
     */
    public function credit(array $note, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/credit-note', $note, $idempotencyKey)['paper'];
    }

    /**
     * Once more by e-mail, to the buyer.
     *
     * @return array{id: string, number: string, ...}
     */
    public function sendAgain(string $id, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/paper/send', ['id' => $id], $idempotencyKey);
    }
}
