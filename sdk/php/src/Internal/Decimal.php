<?php

declare(strict_types=1);

namespace Quittance\Internal;

use InvalidArgumentException;

/**
 * An exact decimal of any length: PHP's integers end at nineteen digits, and not every host has bcmath.
 *
 * @internal
 */
final class Decimal
{
    /** @param string $digits without a point; the last `$scale` of them stand behind it */
    private function __construct(
        private readonly bool $isNegative,
        private readonly string $digits,
        private readonly int $scale,
    ) {
    }

    public static function of(mixed $value): self
    {
        $text = Parameters::asText($value);
        if (preg_match('/^(-?)(\d+)(?:\.(\d+))?$/D', $text, $parts) !== 1) {
            throw new InvalidArgumentException("\"$text\" is no decimal in plain notation, such as \"19.99\".");
        }
        $behind = $parts[3] ?? '';
        return new self($parts[1] === '-', $parts[2] . $behind, strlen($behind));
    }

    public function plus(self $other): self
    {
        $scale = max($this->scale, $other->scale);
        [$a, $b] = [$this->digitsAt($scale), $other->digitsAt($scale)];
        $length = max(strlen($a), strlen($b));
        [$a, $b] = [str_pad($a, $length, '0', STR_PAD_LEFT), str_pad($b, $length, '0', STR_PAD_LEFT)];
        if ($this->isNegative === $other->isNegative) {
            return new self($this->isNegative, self::sum($a, $b, 1), $scale);
        }
        // Equally long digits are compared as text.
        return strcmp($a, $b) >= 0
            ? new self($this->isNegative, self::sum($a, $b, -1), $scale)
            : new self($other->isNegative, self::sum($b, $a, -1), $scale);
    }

    public function minus(self $other): self
    {
        return $this->plus(new self(!$other->isNegative, $other->digits, $other->scale));
    }

    public function times(self $other): self
    {
        [$a, $b] = [strrev($this->digits), strrev($other->digits)];
        $product = array_fill(0, strlen($a) + strlen($b), 0);
        for ($i = 0; $i < strlen($a); $i++) {
            for ($j = 0; $j < strlen($b); $j++) {
                $product[$i + $j] += (int) $a[$i] * (int) $b[$j];
                $product[$i + $j + 1] += intdiv($product[$i + $j], 10);
                $product[$i + $j] %= 10;
            }
        }
        $isNegative = $this->isNegative !== $other->isNegative;
        return new self($isNegative, strrev(implode('', $product)), $this->scale + $other->scale);
    }

    /** Without an exponent and without zeros that mean nothing. */
    public function toText(): string
    {
        $digits = str_pad($this->digits, $this->scale + 1, '0', STR_PAD_LEFT);
        $point = strlen($digits) - $this->scale;
        $whole = ltrim(substr($digits, 0, $point), '0');
        $behind = rtrim(substr($digits, $point), '0');
        $text = ($whole === '' ? '0' : $whole) . ($behind === '' ? '' : ".$behind");
        return ($this->isNegative && $text !== '0' ? '-' : '') . $text;
    }

    private function digitsAt(int $scale): string
    {
        return $this->digits . str_repeat('0', $scale - $this->scale);
    }

    /** Of digits of the same length; with the sign -1 the second, which is not larger, is taken away. */
    private static function sum(string $a, string $b, int $sign): string
    {
        [$result, $carry] = ['', 0];
        for ($at = strlen($a) - 1; $at >= 0; $at--) {
            $digit = (int) $a[$at] + $sign * (int) $b[$at] + $carry;
            $carry = $digit > 9 ? 1 : ($digit < 0 ? -1 : 0);
            $result = ($digit - 10 * $carry) . $result;
        }
        return $carry === 1 ? "1$result" : $result;
    }
}
