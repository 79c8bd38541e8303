package org.azuremail.storage.azurite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.azuremail.storage.azurite.Azurite.Service;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StorageProxyTest {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ServerSocket echo;
    private StorageProxy proxy;

    @BeforeEach
    void start() throws IOException {
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::answer);
        proxy = StorageProxy.to(Map.of(Service.TABLE, echo.getLocalPort()));
    }

    /** Echoes its input. */
    private void answer() {
        while (!echo.isClosed()) {
            try {
                Socket client = echo.accept();
                threads.execute(() -> {
                    try (client) {
                        client.getInputStream().transferTo(client.getOutputStream());
                    } catch (IOException e) {
                        // The proxy broke the connection.
                    }
                });
            } catch (IOException e) {
                return;
            }
        }
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        echo.close();
        threads.shutdownNow();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port(Service.TABLE));
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static int echoed(Socket socket, int text) throws IOException {
        socket.getOutputStream().write(text);
        return socket.getInputStream().read();
    }

    @Test
    void dataPassesInBothDirections() throws IOException {
        try (Socket one = connect();
                Socket two = connect()) {
            assertThat(echoed(one, 'a')).isEqualTo('a');
            assertThat(echoed(two, 'b')).isEqualTo('b');
        }
    }

    @Test
    void brokenProxyEndsOpenAndNewConnections() throws IOException {
        try (Socket before = connect()) {
            echoed(before, 'a');
            proxy.breakOff();
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> before.getInputStream().read());
        }
        assertThatExceptionOfType(SocketException.class).isThrownBy(() -> {
            try (Socket during = connect()) {
                echoed(during, 'a');
            }
        });

        proxy.pass();

        try (Socket after = connect()) {
            assertThat(echoed(after, 'a')).isEqualTo('a');
        }
    }

    @Test
    void closedProxyHoldsDataUntilItOpens() throws IOException {
        try (Socket socket = connect()) {
            echoed(socket, 'a');
            proxy.hang();
            socket.setSoTimeout(200);
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> echoed(socket, 'b'));

            proxy.pass();

            socket.setSoTimeout(20_000);
            assertThat(socket.getInputStream().read()).isEqualTo('b');
        }
    }
}
