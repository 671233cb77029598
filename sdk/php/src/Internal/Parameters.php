<?php

declare(strict_types=1);

namespace Quittance\Internal;

use BackedEnum;
use DateTimeInterface;
use InvalidArgumentException;
use JsonException;
use Stringable;

/**
 * What a caller gives, as text. Amounts are never computed with: a string stays as it is, a decimal of a library
 * becomes its text, and a float is written with the fewest digits that mean it.
 *
 * @internal
 */
final class Parameters
{
    /** A path, perhaps with a query, as it is sent: what is signed must not be written in another way on its way out. */
    public static function asPath(string $path): string
    {
        if (!str_starts_with($path, '/')) {
            throw new InvalidArgumentException("A path begins with a slash, such as /checkout, but this is \"$path\".");
        }
        if (preg_match('~^[^?]*/(?:\.|%2e){1,2}(?:[/?]|$)~Di', $path) === 1) {
            throw new InvalidArgumentException("$path is outside of the API.");
        }
        $encode = static fn (array $byte): string => rawurlencode($byte[0]);
        return (string) preg_replace_callback('/[^\x21-\x7e]|["#\'<>\\\\^`{|}]/', $encode, $path);
    }

    /** @param array<array-key, mixed> $params */
    public static function asJson(array $params): string
    {
        return $params === [] ? '{}' : self::json($params);
    }

    /**
     * Several values of one name stand side by side, with commas between them: that is how the API reads lists.
     *
     * @param array<array-key, mixed> $params
     */
    public static function asQuery(array $params): string
    {
        $texts = [];
        foreach ($params as $name => $value) {
            if ($value !== null) {
                $texts[$name] = implode(',', array_map(self::asText(...), is_array($value) ? $value : [$value]));
            }
        }
        return http_build_query($texts, '', '&', PHP_QUERY_RFC3986);
    }

    public static function asText(mixed $value): string
    {
        $plain = self::plain($value);
        return is_string($plain) ? $plain : self::json($plain);
    }

    private static function json(mixed $value): string
    {
        // Some hosts set 17 digits, with which 0.1 becomes 0.10000000000000001.
        $before = ini_set('serialize_precision', '-1');
        try {
            return json_encode(
                self::plain($value),
                JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE,
            );
        } catch (JsonException $problem) {
            throw new InvalidArgumentException(
                "The parameters cannot be written as JSON: {$problem->getMessage()}.",
                previous: $problem,
            );
        } finally {
            if ($before !== false) {
                ini_set('serialize_precision', $before);
            }
        }
    }

    private static function plain(mixed $value): mixed
    {
        return match (true) {
            is_array($value) => array_map(self::plain(...), $value),
            $value instanceof DateTimeInterface => $value->format(DateTimeInterface::ATOM),
            $value instanceof BackedEnum => $value->value,
            $value instanceof Stringable => (string) $value,
            default => $value,
        };
    }
}
