<?php

declare(strict_types=1);

namespace Quittance\Internal;

use Quittance\Exception\ApiException;
use Quittance\Exception\ConnectionException;
use Quittance\ExportFile;
use Quittance\Page;
use Quittance\RecordList;
use Quittance\Response;

/**
 * Calls that give what was asked for, or throw. What the resources are made of.
 *
 * @internal
 */
final class Api
{
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * @param array<array-key, mixed> $params
     * @return array<string, mixed>
     */
    public function call(string $method, string $path, array $params = [], ?string $idempotencyKey = null): array
    {
        $response = $this->connection->request($method, $path, $params, $idempotencyKey);
        $data = $response->data();
        self::demandSuccess($response, $data !== null);
        return $data ?? [];
    }

    /**
     * @param array<array-key, mixed> $filter
     * @param string $name under which a page has its records
     */
    public function list(string $path, array $filter, string $name): RecordList
    {
        return new RecordList(function (?string $cursor) use ($path, $filter, $name): Page {
            $reply = $this->call('GET', $path, $cursor === null ? $filter : ['cursor' => $cursor] + $filter);
            return new Page($reply[$name], $reply['next']);
        });
    }

    /** @param array<array-key, mixed> $params */
    public function file(string $path, array $params): ExportFile
    {
        // In memory while it is small, otherwise on the disk.
        $body = fopen('php://temp', 'w+b') ?: throw new \RuntimeException('There is no room for a file.');
        $response = $this->connection->request('GET', $path, $params, null, $body);
        self::demandSuccess($response, true);
        rewind($body);
        preg_match('/filename="([^"]+)"/', $response->header('Content-Disposition') ?? '', $named);
        return new ExportFile($named[1] ?? null, $response->header('Content-Type'), $body);
    }

    private static function demandSuccess(Response $response, bool $isReadable): void
    {
        if ($response->httpStatusCode === 0) {
            throw ConnectionException::of($response);
        }
        if (!$response->isOk() || !$isReadable) {
            throw ApiException::of($response);
        }
    }
}
