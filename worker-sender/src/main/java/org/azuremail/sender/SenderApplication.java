package org.azuremail.sender;

import org.azuremail.app.CoreConfiguration;
import org.azuremail.transport.TransportConfiguration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** Worker B on its own: the sender role and nothing else. */
@SpringBootApplication
@Import({CoreConfiguration.class, TransportConfiguration.class})
public class SenderApplication {

    public static void main(String[] args) {
        SpringApplication.run(SenderApplication.class, args);
    }
}
