package org.azuremail.feedback;

import org.azuremail.feedback.FeedbackProperties.UnsubscribeProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Handles and feedback; every role needs them. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({FeedbackProperties.class, UnsubscribeProperties.class})
@Import({MailHandles.class, FeedbackRecorder.class, EmailFinder.class, BounceProcessor.class})
class FeedbackConfiguration {}
