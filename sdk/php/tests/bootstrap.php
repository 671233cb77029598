<?php

declare(strict_types=1);

// As Composer would load them, for those who run the tests without it.
error_reporting(E_ALL);
require dirname(__DIR__) . '/autoload.php';
spl_autoload_register(static function (string $class): void {
    $prefix = 'Quittance\\Tests\\';
    $file = __DIR__ . '/' . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
    if (str_starts_with($class, $prefix) && is_file($file)) {
        require $file;
    }
});
