<?php

declare(strict_types=1);

/**
 * Key, secret and address: from the environment, or of the sandbox that `npm start` has made.
 *
 * @return array{apiKey: string, apiSecret: string, baseUrl: string}
 */
function access(): array
{
    $given = ['apiKey' => getenv('QUITTANCE_KEY'), 'apiSecret' => getenv('QUITTANCE_SECRET'), 'baseUrl' => getenv('QUITTANCE_URL')];
    if (!in_array(false, $given, true)) {
        return $given;
    }
    $folder = getenv('DATA_DIR') ?: 'data';
    $file = (str_starts_with($folder, '/') ? $folder : dirname(__DIR__, 2) . "/$folder") . '/access.json';
    if (!is_file($file)) {
        throw new NoAccess("There is no $file: run npm start first, or set QUITTANCE_KEY, QUITTANCE_SECRET and QUITTANCE_URL.");
    }
    return json_decode(file_get_contents($file), true, flags: JSON_THROW_ON_ERROR);
}

final class NoAccess extends RuntimeException
{
}
