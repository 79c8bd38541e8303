package org.azuremail.web;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Import;

/** Runs the whole web role, without workers, on a storage in memory and a manual clock. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        classes = WebApplication.class,
        properties = {
            "azuremail.roles=web",
            "azuremail.password.strength=4",
            "azuremail.bootstrap.admin-email=ann@example.org",
            "azuremail.bootstrap.admin-password=" + PageTestConfiguration.PASSWORD,
            "azuremail.bootstrap.api-key=" + PageTestConfiguration.API_KEY,
            "spring.main.allow-bean-definition-overriding=true"
        })
@AutoConfigureMockMvc
@Import(PageTestConfiguration.class)
public @interface PageTest {}
