package org.azuremail.web.security;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.WebApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Import;

/** Like {@code PageTest}, but with an open port, to test what Tomcat does before and after a page is rendered. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        classes = WebApplication.class,
        properties = {
            "azuremail.roles=web",
            "azuremail.password.strength=4",
            "azuremail.bootstrap.admin-email=ann@example.org",
            "azuremail.bootstrap.admin-password=" + PageTestConfiguration.PASSWORD,
            "azuremail.bootstrap.api-key=" + PageTestConfiguration.API_KEY,
            "server.address=127.0.0.1",
            "spring.main.allow-bean-definition-overriding=true"
        })
@AutoConfigureMockMvc
@Import(PageTestConfiguration.class)
public @interface OpenPort {}
