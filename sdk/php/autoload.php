<?php

declare(strict_types=1);

// For programs without Composer: `require 'path/to/sdk/php/autoload.php';` is all they need.
spl_autoload_register(static function (string $class): void {
    $prefix = 'Quittance\\';
    $file = __DIR__ . '/src/' . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
    if (str_starts_with($class, $prefix) && is_file($file)) {
        require $file;
    }
});
