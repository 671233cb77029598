<?php

declare(strict_types=1);

namespace Quittance\Tests;

use InvalidArgumentException;
use PHPUnit\Framework\TestCase;
use Quittance\Client;
use Quittance\Internal\Retry;
use Quittance\Response;
use Quittance\Webhook;
use Quittance\WebhookProblem;

/** How a client behaves in surroundings that mean no good. The server here is a small one. */
final class HostileTest extends TestCase
{
    /** Answers every request with what it was. */
    private const MIRROR = <<<'PHP'
        $server = stream_socket_server('tcp://127.0.0.1:0');
        echo stream_socket_get_name($server, false), PHP_EOL;
        while ($socket = stream_socket_accept($server, 600)) {
            $told = ['time' => 1_600_000_000, 'line' => rtrim(fgets($socket))];
            while (($header = rtrim((string) fgets($socket))) !== '') {
                [$name, $value] = explode(': ', $header, 2);
                $told[strtolower($name)] = $value;
            }
            $length = (int) ($told['content-length'] ?? 0);
            $told['body'] = $length > 0 ? stream_get_contents($socket, $length) : '';
            $answer = json_encode($told);
            fwrite($socket, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " . strlen($answer) . "\r\n\r\n$answer");
            fclose($socket);
        }
        PHP;

    /** @var resource */
    private static mixed $server;
    private static string $url;

    public static function setUpBeforeClass(): void
    {
        $server = proc_open([PHP_BINARY, '-r', self::MIRROR], [1 => ['pipe', 'w']], $pipes);
        self::$server = $server ?: self::fail('PHP could not be started.');
        self::$url = 'http://' . trim((string) fgets($pipes[1]));
    }

    public static function tearDownAfterClass(): void
    {
        proc_terminate(self::$server);
    }

    public function testWhatIsSignedIsWhatIsSentWhateverThePathIs(): void
    {
        $client = new Client('key', 'secret', self::$url);
        $text = (string) file_get_contents(dirname(__DIR__, 2) . '/vectors/paths.json');
        ['paths' => $paths, 'refused' => $refused] = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
        foreach ($paths as $each) {
            $told = $client->post($each['given'], ['a' => 'ü'])->data() ?? self::fail($each['name']);
            self::assertSame("POST /api/v1{$each['sent']} HTTP/1.1", $told['line'], $each['name']);
            $signed = $each['signed'] . $told['x-digest-timestamp'] . 'POST' . $told['body'];
            self::assertSame(hash_hmac('sha256', $signed, 'secret'), $told['x-digest-signature'], $each['name']);
        }
        foreach ($refused as $path) {
            try {
                $client->get($path);
            } catch (InvalidArgumentException) {
                continue;
            }
            self::fail("$path was sent");
        }
    }

    public function testWhatIsForThisMachineIsNotCarriedToAProxy(): void
    {
        $before = getenv('http_proxy');
        putenv('http_proxy=http://127.0.0.1:1');
        try {
            self::assertSame(200, (new Client('key', 'secret', self::$url, retries: 0))->get('/a')->httpStatusCode);
        } finally {
            putenv($before === false ? 'http_proxy' : "http_proxy=$before");
        }
    }

    public function testNothingThatWritesObjectsDownFindsTheSecret(): void
    {
        $client = new Client('key', 'the-secret', 'https://pay.example');
        self::assertStringNotContainsString('the-secret', print_r($client, true) . var_export($client, true));
        $this->expectExceptionMessage("Serialization of 'Closure' is not allowed");
        serialize($client);
    }

    public function testARequestIsSentAgainAsOftenAsWasWished(): void
    {
        $cutOff = new Response(null, null, 0, 'cut off', CURLE_SSL_CONNECT_ERROR);
        foreach ([new Response('', '', 503), $cutOff] as $response) {
            for ($before = 0; $before < 12; $before++) {
                $pause = Retry::after($response, $before, 20.0);
                self::assertNotNull($pause);
                self::assertLessThanOrEqual(8.0, $pause);
            }
        }
    }

    public function testLimitsAreNumbers(): void
    {
        foreach ([['timeout' => NAN], ['timeout' => 0.0], ['retries' => -1], ['retryDelay' => NAN]] as $wrong) {
            try {
                new Client('key', 'secret', 'https://pay.example', ...$wrong);
            } catch (InvalidArgumentException) {
                continue;
            }
            self::fail(array_key_first($wrong) . ' was accepted');
        }
        $patient = new Client('key', 'secret', self::$url, timeout: INF, connectTimeout: INF, retries: 0);
        self::assertSame(200, $patient->get('/a')->httpStatusCode);
    }

    public function testASettingThatIsMissingIsNoSecret(): void
    {
        foreach ([null, false, 1, [null], new \stdClass()] as $none) {
            self::assertSame(WebhookProblem::NoSecret, Webhook::read('{}', [], $none, $none)->problem);
        }
    }
}
